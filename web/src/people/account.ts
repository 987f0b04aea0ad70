// One's account, and running the server: seldom opened, so a piece of its own. Its messages are those of the people around it.
export { default as Account } from '../pages/Account.svelte'
export { default as Admin } from '../pages/Admin.svelte'
