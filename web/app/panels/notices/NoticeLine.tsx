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
import type { NoticeRow } from '../../api/reports/notices.ts'
import { formatMoment } from '../../i18n/format.ts'
import { pauseReason, reasonName } from '../../i18n/named.ts'
import { t } from '../../i18n/notices.ts'
import { Money } from '../../ui/Money.tsx'
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

type Props = {
  readonly notice: NoticeRow
  /** Closes what the line is in, for what its link opens. */
  readonly onLeave?: (() => void) | undefined
}

/** A notice: its sentence, more words, its age, and its amount. */
export const NoticeLine = ({ notice, onLeave }: Props) => {
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
