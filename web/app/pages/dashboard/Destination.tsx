import { NativeSelect, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { invalidAddress, poolWallet, unpayableDestination } from '@pool/contract/base/messages'
import type { Network } from '@pool/contract/chain/wallets'
import { PAYOUT_ADDRESS_WAIT_HOURS } from '@pool/contract/money/payoutAddresses'
import { useNetworks } from '../../api/chain/wallets.ts'
import { type CheckedDestination, useCheckedDestination } from '../../api/requests/transactions.ts'
import { configuration } from '../../configuration.ts'
import { common } from '../../i18n/common.ts'
import { t as dashboard } from '../../i18n/dashboard.ts'
import { t } from '../../i18n/dialogs.ts'
import { DefaultAddress } from './DefaultAddress.tsx'
import classes from './dialogs.module.css'

/** The typing delay before a destination is checked. */
const TYPING_DELAY_MS = 300

type Typed = { readonly destination: string; readonly networkName: string }

/** The check of a typed destination; undefined until typing stops and the server answered. */
export const useTypedDestination = (destination: string): CheckedDestination | undefined => {
  const typed = destination.trim()
  const [rested] = useDebouncedValue(typed, TYPING_DELAY_MS)
  const { data } = useCheckedDestination(rested)
  return rested === typed ? data : undefined
}

/** The sentence that refuses a checked destination, or null. A sandbox takes any text. */
const refusalOf = (
  checked: CheckedDestination | undefined,
  { networkName }: Pick<Typed, 'networkName'>,
): string | null => {
  if (!checked) return null
  if (checked.isPoolWallet) return poolWallet
  if (networkName && !checked.networks.includes(networkName)) return invalidAddress(networkName)
  return checked.networks.length === 0 && configuration().poolMode === 'live'
    ? unpayableDestination
    : null
}

type FindingProps = {
  readonly checked: CheckedDestination
  readonly networks: readonly Network[]
  readonly isAddressed: boolean
  readonly onPayoutAddress: () => void
}

/** The networks of an address, or advice about a text that only a sandbox takes. */
const Finding = ({ checked, networks, isAddressed, onPayoutAddress }: FindingProps) => {
  const names = networks
    .filter(({ name }) => checked.networks.includes(name))
    .map(({ displayName }) => displayName)
  if (names.length > 0)
    return (
      <Text size="sm" c="dimmed">
        {t('withdraw.valid', { networks: names.join(', ') })}
      </Text>
    )
  return (
    <div className={classes.shown}>
      <div className={classes.shownHead}>
        <span>{t(isAddressed ? 'withdraw.noAddress' : 'withdraw.described')}</span>
        <button type="button" onClick={onPayoutAddress}>
          {dashboard('payoutAddress.add')}
        </button>
      </div>
    </div>
  )
}

type Props = {
  readonly checked: CheckedDestination | undefined
  readonly isAddressed: boolean
  /** The description stands in for an empty destination. */
  readonly isDescribed: boolean
  readonly networkName: string
  readonly destination: TextInputProps
  readonly network: object
  /** Opens the dialog of the payout address instead. */
  readonly onPayoutAddress: () => void
}

/** The destination of a withdrawal and its network, checked as they are typed. */
export const Destination = ({
  checked,
  isAddressed,
  isDescribed,
  networkName,
  destination,
  network,
  onPayoutAddress,
}: Props) => {
  const networks = useNetworks()
  const isLive = configuration().poolMode === 'live'
  const refused = refusalOf(checked, { networkName })
  return (
    <>
      <TextInput
        label={t('withdraw.destination')}
        description={t('withdraw.destination.hint', { fallback: common('defaultDestination') })}
        size="md"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        {...destination}
        error={destination.error ?? refused}
      />
      {checked && !refused && (
        <Finding
          checked={checked}
          networks={networks}
          isAddressed={isAddressed}
          onPayoutAddress={onPayoutAddress}
        />
      )}
      {isAddressed && (
        <NativeSelect
          label={t('withdraw.network')}
          description={t(isLive ? 'withdraw.network.needed' : 'withdraw.network.hint')}
          size="md"
          data={[
            { value: '', label: t('withdraw.network.none') },
            ...networks.map(({ name, displayName }) => ({ value: name, label: displayName })),
          ]}
          {...network}
        />
      )}
      {!isAddressed && !isDescribed && <DefaultAddress onChange={onPayoutAddress} />}
      {isLive && isAddressed && (
        <Text size="sm" c="dimmed">
          {t('withdraw.wait', { hours: PAYOUT_ADDRESS_WAIT_HOURS })}
        </Text>
      )}
    </>
  )
}
