import { formatDollars } from '@pool/contract/money'
import { DEFAULT_DESTINATION } from '@pool/contract/requests'
import { usePayoutAddress } from '../../api/payoutAddresses.ts'
import { t } from '../../i18n/dialogs.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import classes from './dialogs.module.css'

type Props = {
  /** Dollars that pass every rule, or null. */
  readonly amount: number | null
  readonly balance: number | undefined
  readonly destination: string
}

/** Says the amount, where it goes, and the rest. */
export const WithdrawalSentence = ({ amount, balance, destination }: Props) => {
  const { data: saved } = usePayoutAddress()
  const text = useDollarText()
  const address =
    destination === DEFAULT_DESTINATION
      ? (saved?.current?.address ?? saved?.next?.address)
      : destination
  if (amount === null || balance === undefined) return null
  const left = (Math.round(balance * 100) - Math.round(amount * 100)) / 100
  const values = { amount: formatDollars(amount), left: text(left), address: address ?? '' }
  return (
    <p className={classes.sentence}>
      {t(address === undefined ? 'withdraw.sentence.nowhere' : 'withdraw.sentence', values)}
    </p>
  )
}
