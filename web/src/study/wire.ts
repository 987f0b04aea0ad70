// What the study asks and hears, under the names it has for them.
import type { ReportMove, ToBrowser } from '../protocol.ts'
export type { Analysis, Arrow, BookMove, LineBoard, Mark, MoveValue, Overlay, Reason, Report, Shape, StudyChange, StudyEdit, StudyNode, StudySource, StudySummary } from '../protocol.ts'
export { ask, listen } from '../state/session.svelte.ts'

export type NodeId = number
export type ReviewMove = ReportMove
export type Class = NonNullable<ReportMove['class']>
export type Phase = ReportMove['phase']
export type StudyView = Extract<ToBrowser, { type: 'study' }>
export type ReviewNews = Extract<ToBrowser, { type: 'review' }>
