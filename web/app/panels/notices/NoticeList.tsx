import { Button } from '@mantine/core'
import type { NoticeState } from '@pool/contract/reports/notices'
import type { ReactNode } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { useMarkRead, useNotices } from '../../api/reports/notices.ts'
import { t } from '../../i18n/notices.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pending } from '../../ui/Pending.tsx'
import classes from './Inbox.module.css'
import { NoticeLine } from './NoticeLine.tsx'

type Props = {
  readonly heading: ReactNode
  readonly opened: boolean
  readonly hasUnread: boolean
  /** Only these. */
  readonly state?: NoticeState | undefined
  /** Closes what the list is in, for what one of its links opens. */
  readonly onLeave?: () => void
}

/** Notices, newest first, a page at a time. */
export const NoticeList = ({ heading, opened, hasUnread, state, onLeave }: Props) => {
  const list = useNotices(opened, t('failed'), state)
  const mark = useMarkRead(t('markRead.failed'))
  const notices = list.data?.pages.flatMap((page) => page.notices)
  const newest = notices?.[0]
  return (
    <>
      <div className={classes.head}>
        {heading}
        {newest && hasUnread && state !== 'read' && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-busy={mark.isPending}
            onClick={() => mark.mutate(newest.at)}
          >
            {t('markRead')}
          </Button>
        )}
      </div>
      {mark.isError && (
        <p role="alert" className={classes.fault}>
          {messageOf(mark.error, t('markRead.failed'))}
        </p>
      )}
      {!notices && <Pending query={list} failed={t('failed')} loading={t('loading')} />}
      {notices?.length === 0 &&
        (state ? (
          <EmptyState title={t(`empty.${state}`)} plain />
        ) : (
          <EmptyState title={t('empty')} text={t('empty.text')} />
        ))}
      {notices && notices.length > 0 && (
        <ul className={classes.lines}>
          {notices.map((notice) => (
            <NoticeLine key={notice.id} notice={notice} onLeave={onLeave} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className={classes.foot}>
          <Button
            variant="default"
            size="sm"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('earlier')}
          </Button>
        </div>
      )}
    </>
  )
}
