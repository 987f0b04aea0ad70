// Dialogs that any page can open.
export type DialogName = 'settings' | 'help'

let open = $state<DialogName | null>(null)

export function openedDialog(): DialogName | null {
  return open
}

export function openDialog(name: DialogName): void {
  open = name
}

export function closeDialog(): void {
  open = null
}
