/** The parts that each kind of rows brings to the queue. */
import type { ComponentType, RefObject } from 'react'
import type { Queue } from './useQueue.ts'

export type LineProps<Subject> = {
  readonly subject: Subject
  readonly now: Date
  readonly isCurrent: boolean
  /** The one line that the Tab key reaches. */
  readonly isStop: boolean
  readonly isReady: boolean
  readonly isSelected: boolean
  readonly onOpen: (id: string) => void
  readonly onSelect: (id: string) => void
}

/** The decisions that keys take. */
export type PanelActions = { readonly approve: () => void; readonly reject: () => void }

export type PanelProps<Subject> = {
  readonly subject: Subject
  readonly queue: Pick<Queue<unknown>, 'close' | 'openNext' | 'recordOutcome'>
  readonly actions: RefObject<PanelActions | null>
}

export type SeveralProps<Subject> = {
  readonly subjects: readonly Subject[]
  /** Flagged ones that stay. */
  readonly leftOut: readonly Subject[]
  readonly onOutcome: (id: string, status: string) => void
  readonly opened: boolean
  readonly onClose: () => void
}

/** The line and the panel of a row, and the dialog that approves all selected rows. */
export type QueueParts<Subject> = {
  readonly Line: ComponentType<LineProps<Subject>>
  readonly Panel: ComponentType<PanelProps<Subject>>
  readonly Several: ComponentType<SeveralProps<Subject>>
}
