import { TextInput } from '@mantine/core'
import { assetsOf, type Coin, coins as known } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import { useState } from 'react'
import type { CapitalPayment } from '../../../api/coins/capital.ts'
import { AmountInput } from '../../../forms/AmountInput.tsx'
import { readDollars } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/reconciliation.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { AskDialog } from './AskDialog.tsx'
import { Choice } from './CustodyDialogs.tsx'

type SeenProps = { readonly payment: CapitalPayment; readonly onClose: () => void }

/** Asks to book a payment that a node shows as capital. */
export const SeenCapitalDialog = ({ payment, onClose }: SeenProps) => {
  const { id, network, evidence, asset, coins, dollars } = payment
  const text = useDollarText()
  const coin = known.find((each) => each === asset)
  return (
    <AskDialog
      title={t('capital.title')}
      text={t('capital.about', { coins: `${coins} ${asset}`, network, amount: text(dollars ?? 0) })}
      onClose={onClose}
      asked={(reason) =>
        coin === undefined || dollars === null
          ? null
          : {
              kind: 'PUT_IN_CAPITAL',
              amount: dollars,
              networkName: network,
              asset: coin,
              coins,
              evidence,
              paymentId: id,
              reason,
            }
      }
    />
  )
}

type TypedProps = { readonly followed: readonly string[]; readonly onClose: () => void }

/** Asks to book coins on a network that no node follows, as two people say. */
export const TypedCapitalDialog = ({ followed, onClose }: TypedProps) => {
  const names = networks.map(({ name }) => name).filter((name) => !followed.includes(name))
  const [chosenNetwork, setNetwork] = useState(names[0])
  const [chosen, setAsset] = useState<Coin | null>(null)
  const [coins, setCoins] = useState('')
  const [amount, setAmount] = useState('')
  const [evidence, setEvidence] = useState('')
  const networkName = names.find((name) => name === chosenNetwork) ?? names[0]
  const assets = networkName ? assetsOf(networkName).map(({ coin }) => coin) : []
  const asset = assets.find((each) => each === chosen) ?? assets[0]
  const typed = readDollars(amount)
  return (
    <AskDialog
      title={t('capital.title')}
      text={t(networkName ? 'capital.typed' : 'capital.followed')}
      onClose={onClose}
      asked={(reason) =>
        networkName === undefined ||
        asset === undefined ||
        typed === undefined ||
        [coins, evidence].some((text) => text.trim() === '')
          ? null
          : {
              kind: 'PUT_IN_CAPITAL',
              amount: typed,
              networkName,
              asset,
              coins: coins.trim(),
              evidence: evidence.trim(),
              reason,
            }
      }
    >
      {(busy) =>
        networkName !== undefined &&
        asset !== undefined && (
          <>
            <Choice
              label={t('form.network')}
              values={names}
              value={networkName}
              busy={busy}
              onChange={setNetwork}
            />
            <Choice
              label={t('form.asset')}
              values={assets}
              value={asset}
              busy={busy}
              onChange={setAsset}
            />
            <TextInput
              label={t('form.amount')}
              size="md"
              autoComplete="off"
              inputMode="decimal"
              maxLength={40}
              value={coins}
              readOnly={busy}
              onChange={(event) => setCoins(event.currentTarget.value)}
            />
            <AmountInput
              label={t('form.dollars')}
              value={amount}
              readOnly={busy}
              onChange={setAmount}
            />
            <TextInput
              label={t('form.evidence')}
              size="md"
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={evidence}
              readOnly={busy}
              onChange={(event) => setEvidence(event.currentTarget.value)}
            />
          </>
        )
      }
    </AskDialog>
  )
}
