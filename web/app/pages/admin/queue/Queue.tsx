import { Button, VisuallyHidden } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import { t } from '../../../i18n/queue.ts'
import { useInTurns } from '../../../loading/useInTurns.ts'
import { useMayWrite } from '../../../session/store.ts'
import { FilterButton, FilterChips, useFilterPanel } from '../../../tables/Filters.tsx'
import { SettlingProvider, useMoved } from '../../../tables/held.ts'
import { NothingMatches } from '../../../tables/NothingMatches.tsx'
import type { ListState } from '../../../tables/state.ts'
import type { Filter } from '../../../tables/urlState.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingRows } from '../../../ui/LoadingRows.tsx'
import { useNow } from '../../../ui/useNow.ts'
import { keysFor } from './keys.ts'
import type { PanelActions, QueueParts } from './parts.ts'
import classes from './Queue.module.css'
import { QUEUE, type Queue as Rows } from './useQueue.ts'

type Props<Subject> = {
  readonly queue: Rows<Subject>
  readonly parts: QueueParts<Subject>
  readonly filtering: { readonly state: ListState; readonly filters: readonly Filter[] }
  readonly actions: RefObject<PanelActions | null>
}

const Keys = ({ mayWrite }: { mayWrite: boolean }) => (
  <p className={classes.keys} aria-hidden>
    {keysFor(mayWrite).map(({ key, name }) => (
      <span key={key} data-key={key}>
        <kbd>{key.toUpperCase()}</kbd> {name}
      </span>
    ))}
  </p>
)

const News = ({ news, showNews }: Pick<Rows<unknown>, 'news' | 'showNews'>) => (
  <div role="status" className={classes.news}>
    {news > 0 && (
      <>
        <VisuallyHidden>{t('arrived', { count: news })}</VisuallyHidden>
        <button type="button" onClick={showNews}>
          {t('new', { count: news })}
        </button>
      </>
    )}
  </div>
)

/** Selects all rows that need nothing but the press, and approves the selected ones. */
const Selection = <Subject,>({
  queue,
  parts: { Several },
}: Pick<Props<Subject>, 'queue' | 'parts'>) => {
  const [opened, setOpened] = useState<boolean | null>(null)
  const { plain, selected, leftOut } = queue
  const chosen = new Set(selected.map(({ id }) => id))
  const all = plain.length > 0 && plain.every(({ id }) => chosen.has(id))
  return (
    <>
      <label className={classes.all}>
        <input
          type="checkbox"
          checked={all}
          disabled={plain.length === 0}
          onChange={() => queue.selectAll(!all)}
        />
        {t('selectAll')}
      </label>
      {leftOut.length > 0 && selected.length > 0 && (
        <p className={classes.leftOut}>{t('leftOut', { count: leftOut.length })}</p>
      )}
      <Button
        size="xs"
        variant={selected.length > 0 ? 'filled' : 'default'}
        disabled={selected.length === 0}
        onClick={() => setOpened(true)}
      >
        {t('approveSelected', { count: selected.length })}
      </Button>
      {opened !== null && (
        <Several
          subjects={selected.map(({ subject }) => subject)}
          leftOut={leftOut.map(({ subject }) => subject)}
          onOutcome={queue.recordOutcome}
          opened={opened}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  )
}

/** The most rows that the list shows without scrolling. */
const SEEN = 12

const Lines = <Subject,>({ queue, parts: { Line } }: Pick<Props<Subject>, 'queue' | 'parts'>) => {
  const now = useNow()
  const { rows, opened, selected } = queue
  const drawn = useInTurns(rows.length, SEEN)
  const isSelected = new Set(selected.map(({ id }) => id))
  const stop = opened?.id ?? rows.find(({ waitsForMe }) => waitsForMe)?.id ?? rows[0]?.id
  // Stable functions, so that a press draws two lines and not all.
  const latest = useRef(queue)
  latest.current = queue
  const [on] = useState(() => ({
    open: (id: string) => latest.current.open(latest.current.rows.find((row) => row.id === id)),
    select: (id: string) => latest.current.select(id),
  }))
  return (
    <ul className={classes.list} aria-label={t('list')}>
      {rows.slice(0, drawn).map(({ id, subject, isReady }) => (
        <Line
          key={id}
          subject={subject}
          now={now}
          isCurrent={opened?.id === id}
          isStop={stop === id}
          isReady={isReady}
          isSelected={isSelected.has(id)}
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
 * The rows that wait, oldest first, on one line each. The open one is beside them with its story.
 * It is one line when nothing waits.
 */
export const Queue = <Subject,>({ queue, parts, filtering, actions }: Props<Subject>) => {
  const { rows, opened } = queue
  const places = rows.map(({ id }) => id).join()
  const isMoved = useMoved(places)
  const filters = useFilterPanel({ ...filtering, listName: t('title') })
  const isNarrowed = filtering.state.isFiltered
  const mayWrite = useMayWrite()
  return (
    <section className={classes.queue} aria-labelledby={QUEUE} data-print="none">
      <div className={classes.head}>
        <h2 id={QUEUE} tabIndex={-1}>
          {t('title')}
        </h2>
        <p className={classes.count}>
          {queue.isKnown &&
            !queue.failed &&
            (queue.total > 0 || isNarrowed ? t('count', { count: queue.total }) : t('none'))}
        </p>
        <News news={queue.news} showNews={queue.showNews} />
        {(rows.length > 0 || isNarrowed) && (
          <>
            <Keys mayWrite={mayWrite} />
            <div className={classes.filters}>
              <FilterButton panel={filters} />
              <FilterChips panel={filters} />
            </div>
            {mayWrite && <Selection queue={queue} parts={parts} />}
          </>
        )}
      </div>
      <NothingMatches
        state={filtering.state}
        isSo={isNarrowed && queue.isKnown && queue.total === 0}
      />
      {queue.failed && (
        <ErrorState message={t('failed')} retrying={queue.retrying} onRetry={queue.retry} />
      )}
      {!queue.isKnown && <LoadingRows label={t('loading')} />}
      {rows.length > 0 && (
        <SettlingProvider value={isMoved}>
          <div className={classes.body} data-open={opened !== undefined || undefined}>
            <Lines queue={queue} parts={parts} />
            {opened && <parts.Panel subject={opened.subject} queue={queue} actions={actions} />}
          </div>
        </SettlingProvider>
      )}
    </section>
  )
}
