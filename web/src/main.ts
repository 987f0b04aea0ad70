import './style/tokens.css'
import './style/base.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { learnFirst } from './i18n/index.svelte.ts'
import { claim } from './owner.ts'
import { keepFocus } from './state/focus.ts'
import { session } from './state/session.svelte.ts'
import { watchTurns } from './state/turns.ts'

const target = document.getElementById('app')
const draw = () => target && mount(App, { target })
// Once more if it fails; a page without words is better than none.
void learnFirst()
  .catch(() => learnFirst())
  .catch(() => {})
  .then(draw)

watchTurns()
keepFocus()

const hash = location.hash
// Nobody shall read the owner's token over a shoulder, or find it in the history.
if (hash.startsWith('#owner=')) history.replaceState(null, '', location.pathname)
void claim(hash).then((became) => {
  if (became === 'owner') location.reload()
  session.notOwner = became === 'refused'
})
