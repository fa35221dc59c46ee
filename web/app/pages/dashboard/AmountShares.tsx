import { t } from '../../i18n/dialogs.ts'
import { formatPercent } from '../../i18n/format.ts'
import { Choice } from './Choice.tsx'
import { shareOf, shares } from './shares.ts'

type Props = {
  /** Dollars; undefined while unknown. */
  readonly balance: number | undefined
  readonly amount: number | undefined
  readonly onChoose: (dollars: number) => void
}

/** Buttons that fill in a quarter of the balance, or more of it. */
export const AmountShares = ({ balance, amount, onChoose }: Props) => {
  if (balance === undefined || balance <= 0) return null
  const chosen = shares.find((share) => shareOf(balance, share) === amount)
  return (
    <Choice
      label={t('shares')}
      options={shares.map((share) => ({
        name: String(share),
        label: share === 100 ? t('shares.max') : formatPercent(share),
      }))}
      chosen={chosen === undefined ? null : String(chosen)}
      onChoose={(share) => onChoose(shareOf(balance, Number(share)))}
    />
  )
}
