// A drawing of the server's as a picture for programs that know no SVG.

/** The measure of a drawing, in its own units. */
export function sizeOf(svg: string): { width: number; height: number } {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  return { width: Number(width ?? 400), height: Number(height ?? 400) }
}

/** As PNG, two pixels for each unit of the drawing. */
export async function png(svg: string): Promise<Blob> {
  const { width, height } = sizeOf(svg)
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = 2 * width
    canvas.height = 2 * height
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'))
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Saves something under a name, as a click on a link would. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has begun to read it by the time it is idle again.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
