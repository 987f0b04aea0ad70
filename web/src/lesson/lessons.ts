// The lessons' positions. They are data, not a program: a file of its own, fetched with the part of the page that shows them.
import url from './lessons.json?url'
import type { Lesson } from './practice.ts'

export const lessons = (await (await fetch(url)).json()) as readonly Lesson[]
