// What the study asks and hears, under the names it has for them.
import type { Ask, ReportMove, ToBrowser } from '../protocol.ts'
export type { Analysis, Arrow, Mark, MoveValue, Overlay, Reason, Report, Shape, StudyChange, StudyEdit, StudyNode, StudySource, StudySummary } from '../protocol.ts'
export { ask, listen } from '../state/session.svelte.ts'

export type NodeId = number
export type ReviewMove = ReportMove
export type Class = NonNullable<ReportMove['class']>
export type Phase = ReportMove['phase']
export type StudyView = Extract<ToBrowser, { type: 'study' }>
export type ReviewNews = Extract<ToBrowser, { type: 'review' }>
export type Asked = Ask

// To come: the boards along a line.
import { ask as send } from '../state/session.svelte.ts'
import type { Color, Square } from '../protocol.ts'
export interface LineBoard { square: Square; by: Color; board: string; turn: Color | null; passed: boolean }
export function playLine(study: string, at: NodeId, squares: readonly Square[]): Promise<readonly LineBoard[]> {
  return send({ type: 'study_line', study, at, squares } as never).then((answer) => (answer as unknown as { boards?: LineBoard[] }).boards ?? [])
}
