import { useDepositTerms } from '../../api/chain/wallets.ts'
import { isFollowed } from '../../configuration.ts'
import { t } from '../../i18n/dialogs.ts'
import { inLargestUnit } from '../../ui/age.ts'
import classes from './dialogs.module.css'

const MINUTE_MS = 60_000

/** 'Usually within about 25 minutes.' */
const usually = (minutes: number): string => {
  const { unit, count } = inLargestUnit(minutes * MINUTE_MS)
  return t(`deposit.usual.${unit === 'second' ? 'minute' : unit}`, { count })
}

/** By the step of the dialog, and by who confirms the payment. */
const SENTENCES = {
  begun: { byChain: 'deposit.next.chain', byStaff: 'deposit.next' },
  asked: { byChain: 'deposit.next.asked.chain', byStaff: 'deposit.next.asked' },
} as const

/** The next steps of a deposit, and its usual time where enough deposits tell it. */
export const DepositSteps = ({
  network,
  isAsked = false,
}: {
  readonly network: string
  readonly isAsked?: boolean
}) => {
  const { data: terms } = useDepositTerms()
  const next = SENTENCES[isAsked ? 'asked' : 'begun'][isFollowed(network) ? 'byChain' : 'byStaff']
  const minutes = terms?.usualMinutes ?? null
  return (
    <p className={classes.sentence}>
      {t(next)}
      {minutes !== null && ` ${usually(minutes)}`}
    </p>
  )
}
