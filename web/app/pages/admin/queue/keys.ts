import type { RefObject } from 'react'
import { capitalized } from '../../../i18n/format.ts'
import { t } from '../../../i18n/queue.ts'
import type { Shortcut } from '../../../layout/shortcuts/shortcuts.ts'
import type { PanelActions } from './parts.ts'
import type { Queue } from './useQueue.ts'

/** The keys of the queue and what they do. */
const queueKeys = ['j', 'k', 'a', 'r', 'x'] as const
type QueueKey = (typeof queueKeys)[number]
const keyNames: Readonly<Record<QueueKey, string>> = {
  j: t('key.next'),
  k: t('key.previous'),
  a: t('key.approve'),
  r: t('key.reject'),
  x: t('key.select'),
}

/** The keys of a reader, of whom some only move. */
export const keysFor = (mayWrite: boolean): readonly { key: QueueKey; name: string }[] =>
  (mayWrite ? queueKeys : (['j', 'k'] as const)).map((key) => ({ key, name: keyNames[key] }))

/** The queue as it was last drawn, and the buttons of its panel. */
export type LatestQueue = {
  readonly queue: RefObject<Pick<
    Queue<unknown>,
    'opened' | 'openNext' | 'openPrevious' | 'selectOpened'
  > | null>
  readonly actions: RefObject<PanelActions | null>
}

/** The keys of the queue as shortcuts of its page. */
export const queueShortcuts = (
  { queue, actions }: LatestQueue,
  mayWrite: boolean,
): readonly Shortcut[] => {
  const opened = () => queue.current?.opened
  const run: Readonly<Record<QueueKey, () => void>> = {
    j: () => queue.current?.openNext(),
    k: () => queue.current?.openPrevious(),
    a: () => opened() && actions.current?.approve(),
    r: () => opened() && actions.current?.reject(),
    x: () => queue.current?.selectOpened(),
  }
  return keysFor(mayWrite).map(({ key, name }) => ({
    key,
    label: capitalized(name),
    run: run[key],
  }))
}
