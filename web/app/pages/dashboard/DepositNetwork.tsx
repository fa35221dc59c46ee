import { NativeSelect } from '@mantine/core'
import type { DepositTerms } from '../../api/chain/wallets.ts'
import { t } from '../../i18n/dialogs.ts'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import classes from './dialogs.module.css'

type Props = {
  readonly terms: DepositTerms | undefined
  readonly chosen: string
  readonly onChoose: (networkName: string) => void
}

/** The network of a deposit: a choice, or the one of the investor's address. */
export const DepositNetwork = ({ terms, chosen, onChoose }: Props) => {
  const [only, ...others] = terms?.networks ?? []
  if (!only) return null
  if (others.length === 0)
    return (
      <div className={classes.available}>
        <span>{t('address.network')}</span>
        <NetworkBadge network={only.name} />
      </div>
    )
  return (
    <NativeSelect
      label={t('address.network')}
      description={t('deposit.network.hint')}
      size="md"
      data={[only, ...others].map(({ name, displayName }) => ({ value: name, label: displayName }))}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}
