import { NativeSelect } from '@mantine/core'
import { useEffect } from 'react'
import { t } from '../../i18n/quotes.ts'
import { paidNetwork } from '../../ui/paidNetwork.ts'

type Props = {
  readonly networkName: string
  /** The coins whose rate counts now. */
  readonly quoted: readonly string[]
  readonly chosen: string
  readonly onChoose: (coin: string) => void
}

/** The coin of a deposit, where its network takes several and one of them is quoted. */
export const DepositCoin = ({ networkName, quoted, chosen, onChoose }: Props) => {
  const coins: readonly string[] = paidNetwork(networkName).assets.map(({ coin }) => coin)
  const isOffered = coins.length > 1 && coins.some((coin) => quoted.includes(coin))
  const [first = ''] = coins
  const coin = isOffered ? (coins.includes(chosen) ? chosen : first) : ''
  useEffect(() => {
    if (coin !== chosen) onChoose(coin)
  }, [coin, chosen, onChoose])
  if (!isOffered) return null
  return (
    <NativeSelect
      label={t('coin')}
      {...(!quoted.includes(coin) && { description: t('coin.unquoted') })}
      size="md"
      data={[...coins]}
      value={coin}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}
