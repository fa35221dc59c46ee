import { Button } from '@mantine/core'
import { type NoticeKind, noticeFacts } from '@pool/contract/reports/notices'
import {
  IconArrowDownLeft,
  IconArrowUpRight,
  IconDeviceDesktop,
  IconHandStop,
  IconInfoCircle,
  IconSeedling,
  IconShieldLock,
} from '@tabler/icons-react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { type NoticeRow, useMarkRead, useNotices } from '../../api/reports/notices.ts'
import { formatMoment } from '../../i18n/format.ts'
import { pauseReason, reasonName } from '../../i18n/named.ts'
import { t } from '../../i18n/notices.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { RecentTime } from '../../ui/RelativeTime.tsx'
import classes from './Inbox.module.css'

/** Icons by the first word of a kind. */
const icons: Readonly<Record<string, typeof IconSeedling>> = {
  deposit: IconArrowDownLeft,
  withdrawal: IconArrowUpRight,
  investment: IconSeedling,
  session: IconDeviceDesktop,
  switch: IconHandStop,
}

const iconOf = (kind: NoticeKind): typeof IconSeedling =>
  icons[kind.split('.')[0] ?? ''] ??
  (noticeFacts[kind].about === 'account' ? IconShieldLock : IconInfoCircle)

const sentenceOf = ({ kind, pause }: NoticeRow): string | null => {
  if (kind === 'switch.paused') return pause && t(`switch.paused.${pause}`)
  if (kind === 'switch.resumed') return pause && t(`switch.resumed.${pause}`)
  return t(kind)
}

/** The words below the sentence: a reason, or a device. */
const moreOf = ({ kind, reason, device, countsAt }: NoticeRow): string | null => {
  if (countsAt) return t('counts', { at: formatMoment(countsAt) })
  if (kind !== 'session.newDevice') return reason && reasonName(pauseReason(reason))
  const { browser, system } = device
  return browser && system ? t('device', { browser, system }) : (browser ?? system)
}

/** The URL of a transaction's story beside this page, as `panels/story/StoryLink.tsx` makes it. */
const useStorySearch = () => {
  const [parameters] = useSearchParams()
  return (transactionId: string): string => {
    const next = new URLSearchParams(parameters)
    next.delete('investment')
    next.set('transaction', transactionId)
    return `?${next}`
  }
}

const Line = ({ notice, onLeave }: { notice: NoticeRow; onLeave: () => void }) => {
  const searchOf = useStorySearch()
  const { state } = useLocation()
  const { kind, at, unread, transactionId, amount } = notice
  const Icon = iconOf(kind)
  const more = moreOf(notice)
  const words = (
    <>
      <Icon
        size={20}
        stroke={1.6}
        aria-hidden
        className={classes.icon}
        data-tone={noticeFacts[kind].tone}
      />
      <span className={classes.words}>
        <span className={classes.sentence}>{sentenceOf(notice)}</span>
        {more && <span className={classes.more}>{more}</span>}
        <span className={classes.more}>
          <RecentTime at={at} />
        </span>
      </span>
      {amount !== null && (
        <span className={classes.amount}>
          <Money dollars={amount} />
        </span>
      )}
      {unread && (
        <span className={classes.unread}>
          <span>{t('unread')}</span>
        </span>
      )}
    </>
  )
  return (
    <li data-unread={unread}>
      {transactionId === null ? (
        <div className={classes.line}>{words}</div>
      ) : (
        <Link
          to={{ search: searchOf(transactionId) }}
          state={state}
          preventScrollReset
          className={classes.line}
          onClick={onLeave}
        >
          {words}
        </Link>
      )}
    </li>
  )
}

type Props = {
  readonly opened: boolean
  readonly hasUnread: boolean
  /** Closes the inbox, for what one of its links opens. */
  readonly onLeave: () => void
}

/** The notices, newest first. */
export const Inbox = ({ opened, hasUnread, onLeave }: Props) => {
  const list = useNotices(opened, t('failed'))
  const mark = useMarkRead(t('markRead.failed'))
  const notices = list.data?.pages.flatMap((page) => page.notices)
  const newest = notices?.[0]
  return (
    <>
      <div className={classes.head}>
        <h2>{t('title')}</h2>
        {newest && hasUnread && (
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
      {notices?.length === 0 && <EmptyState title={t('empty')} text={t('empty.text')} />}
      {notices && notices.length > 0 && (
        <ul className={classes.lines}>
          {notices.map((notice) => (
            <Line key={notice.id} notice={notice} onLeave={onLeave} />
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
