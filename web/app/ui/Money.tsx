import { VisuallyHidden } from '@mantine/core'
import { formatDollars } from '@pool/contract/base/money'
import { common } from '../i18n/common.ts'
import { HIDDEN_AMOUNT, useAmountsHidden } from './hiddenAmounts.ts'
import classes from './Money.module.css'

const signs = { in: '+', out: '−' } as const

type Props = {
  /** Null for an amount that was not sent. */
  readonly dollars: number | null
  /** An amount that the user just typed or decides about is never hidden. */
  readonly always?: boolean
  /** Puts a sign before the amount: it came into the balance, or left it. */
  readonly direction?: keyof typeof signs | undefined
}

/** Dollars in figures of equal width; dots for hidden amounts. */
export const Money = ({ dollars, always = false, direction }: Props) => {
  const hidden = useAmountsHidden() && !always
  if (dollars === null) return <span className={classes.money}>{common('notAvailable')}</span>
  const sign = direction ? signs[direction] : ''
  if (!hidden) return <span className={classes.money}>{`${sign}${formatDollars(dollars)}`}</span>
  return (
    <span className={classes.money}>
      <span aria-hidden>{HIDDEN_AMOUNT}</span>
      <VisuallyHidden>{common('amounts.hidden')}</VisuallyHidden>
    </span>
  )
}
