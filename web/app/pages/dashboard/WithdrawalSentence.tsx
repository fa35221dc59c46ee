import { formatDollars } from '@pool/contract/base/money'
import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import { usePayoutAddress } from '../../api/money/payoutAddresses.ts'
import { t } from '../../i18n/dialogs.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import classes from './dialogs.module.css'

/** Dollars less a part of them, in whole cents. */
export const without = (dollars: number, part: number | null): number =>
  (Math.round(dollars * 100) - Math.round((part ?? 0) * 100)) / 100

type Props = {
  /** Dollars that pass every rule, or null. */
  readonly amount: number | null
  /** Dollars of the amount that pay the network, or null. */
  readonly share: number | null
  readonly balance: number | undefined
  readonly destination: string
}

/** Says the amount, where it goes, and the rest. */
export const WithdrawalSentence = ({ amount, share, balance, destination }: Props) => {
  const { data: saved } = usePayoutAddress()
  const text = useDollarText()
  const address =
    destination === DEFAULT_DESTINATION
      ? (saved?.current?.address ?? saved?.next?.address)
      : destination
  if (amount === null || balance === undefined) return null
  const values = {
    amount: formatDollars(without(amount, share)),
    left: text(without(balance, amount)),
    address: address ?? '',
  }
  return (
    <p className={classes.sentence}>
      {t(address === undefined ? 'withdraw.sentence.nowhere' : 'withdraw.sentence', values)}
    </p>
  )
}
