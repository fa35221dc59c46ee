import { Button } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import { t } from '../../i18n/queue.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { useInTurns } from '../../loading/useInTurns.ts'
import { useMayWrite } from '../../session/store.ts'
import { FilterButton, FilterChips, useFilterPanel } from '../../tables/Filters.tsx'
import { RestProvider, useMoved } from '../../tables/held.ts'
import { NothingMatches } from '../../tables/NothingMatches.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import { useNow } from '../../ui/useNow.ts'
import page from './AdminDashboard.module.css'
import classes from './Queue.module.css'
import { QueueLine } from './QueueLine.tsx'
import type { PanelActions } from './QueuePanel.tsx'
import { queueFilters } from './tabs.ts'
import { QUEUE, type Queue as Requests } from './useQueue.ts'

const QueuePanel = onDemand(async () => (await import('./QueuePanel.tsx')).QueuePanel)
const SeveralDialog = onDemand(async () => (await import('./SeveralDialog.tsx')).SeveralDialog)

type Props = {
  readonly queue: Requests
  readonly actions: RefObject<PanelActions | null>
}

/** The keys of the queue and what they do. */
export const queueKeys = ['j', 'k', 'a', 'r', 'x'] as const
const keyNames = {
  j: t('key.next'),
  k: t('key.previous'),
  a: t('key.approve'),
  r: t('key.reject'),
  x: t('key.select'),
} as const
/** The keys of a reader, of whom some only move. */
export const keysFor = (mayWrite: boolean): readonly (typeof queueKeys)[number][] =>
  mayWrite ? queueKeys : ['j', 'k']
export const keyName = (key: (typeof queueKeys)[number]): string => keyNames[key]

const Keys = ({ mayWrite }: { mayWrite: boolean }) => (
  <p className={classes.keys} aria-hidden>
    {keysFor(mayWrite).map((key) => (
      <span key={key} data-key={key}>
        <kbd>{key.toUpperCase()}</kbd> {keyName(key)}
      </span>
    ))}
  </p>
)

const News = ({ queue }: { queue: Requests }) => (
  <div role="status" className={classes.news}>
    {queue.news > 0 && (
      <>
        <span className={classes.hidden}>{t('arrived', { count: queue.news })}</span>
        <button type="button" onClick={queue.showNews}>
          {t('new', { count: queue.news })}
        </button>
      </>
    )}
  </div>
)

/** Selects all requests that need nothing but the press, and approves the selected ones. */
const Several = ({ queue }: { queue: Requests }) => {
  const [opened, setOpened] = useState<boolean | null>(null)
  const { ready, selected } = queue
  const all = ready.length > 0 && selected.length === ready.length
  return (
    <>
      <label className={classes.all}>
        <input
          type="checkbox"
          checked={all}
          disabled={ready.length === 0}
          onChange={() => queue.selectAll(!all)}
        />
        {t('selectAll')}
      </label>
      <Button
        size="xs"
        variant={selected.length > 0 ? 'filled' : 'default'}
        disabled={selected.length === 0}
        onClick={() => setOpened(true)}
      >
        {t('approveSelected', { count: selected.length })}
      </Button>
      {opened !== null && (
        <SeveralDialog queue={queue} opened={opened} onClose={() => setOpened(false)} />
      )}
    </>
  )
}

/** The most requests that the list shows without scrolling. */
const SEEN = 12

const Lines = ({ queue }: { queue: Requests }) => {
  const now = useNow()
  const { rows, opened, ready, selected } = queue
  const drawn = useInTurns(rows.length, SEEN)
  const isReady = new Set(ready.map(({ id }) => id))
  const isSelected = new Set(selected.map(({ id }) => id))
  const stop = opened?.id ?? rows.find(queue.waitsForMe)?.id ?? rows[0]?.id
  // Stable functions, so that a press draws two lines and not all.
  const latest = useRef(queue)
  latest.current = queue
  const [on] = useState(() => ({
    open: (request: Parameters<Requests['open']>[0]) => latest.current.open(request),
    select: (id: string) => latest.current.select(id),
  }))
  return (
    <ul className={classes.list} aria-label={t('list')}>
      {rows.slice(0, drawn).map((request) => (
        <QueueLine
          key={request.id}
          request={request}
          now={now}
          isCurrent={opened?.id === request.id}
          isStop={stop === request.id}
          isReady={isReady.has(request.id)}
          isSelected={isSelected.has(request.id)}
          onOpen={on.open}
          onSelect={on.select}
        />
      ))}
      {queue.canShowMore && (
        <li className={classes.more}>
          <Button variant="default" size="xs" onClick={queue.showMore}>
            {t('more')}
          </Button>{' '}
          {t('shown', { shown: rows.length, total: queue.total })}
        </li>
      )}
    </ul>
  )
}

/**
 * The requests that wait, oldest first, on one line each. The open one is beside them with its
 * story. It is one line when nothing waits.
 */
export const Queue = ({ queue, actions }: Props) => {
  const { rows, opened } = queue
  const places = rows.map(({ id }) => id).join()
  const isMoved = useMoved(places)
  const filters = useFilterPanel({
    state: queue.state,
    filters: queueFilters,
    listName: t('title'),
  })
  const isNarrowed = queue.state.isFiltered
  const mayWrite = useMayWrite()
  return (
    <section className={`${page.card} ${classes.queue}`} aria-labelledby={QUEUE} data-print="none">
      <div className={classes.head}>
        <h2 id={QUEUE} tabIndex={-1}>
          {t('title')}
        </h2>
        <p className={classes.count}>
          {queue.isKnown &&
            !queue.failed &&
            (queue.total > 0 || isNarrowed ? t('count', { count: queue.total }) : t('none'))}
        </p>
        <News queue={queue} />
        {(rows.length > 0 || isNarrowed) && (
          <>
            <Keys mayWrite={mayWrite} />
            <div className={classes.filters}>
              <FilterButton panel={filters} />
              <FilterChips panel={filters} />
            </div>
            {mayWrite && <Several queue={queue} />}
          </>
        )}
      </div>
      <NothingMatches state={queue.state} isSo={isNarrowed && queue.isKnown && queue.total === 0} />
      {queue.failed && (
        <ErrorState message={t('failed')} retrying={queue.retrying} onRetry={queue.retry} />
      )}
      {!queue.isKnown && <LoadingRows label={t('loading')} />}
      {rows.length > 0 && (
        <RestProvider value={isMoved}>
          <div className={classes.body} data-open={opened !== undefined || undefined}>
            <Lines queue={queue} />
            {opened && <QueuePanel request={opened} queue={queue} actions={actions} />}
          </div>
        </RestProvider>
      )}
    </section>
  )
}
