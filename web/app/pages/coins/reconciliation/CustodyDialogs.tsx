import { NativeSelect, TextInput } from '@mantine/core'
import { assetsOf, type Coin } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import { namedClasses, ownAccounts } from '@pool/contract/coins/custody'
import { useState } from 'react'
import { t } from '../../../i18n/reconciliation.ts'
import { AskDialog } from './AskDialog.tsx'

type Props = { readonly onClose: () => void }

const networkNames = networks.map(({ name }) => name)

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly values: readonly Value[]
  readonly nameOf?: (value: Value) => string
  readonly value: Value
  readonly busy: boolean
  readonly onChange: (value: Value) => void
}

/** A choice of named values. */
export const Choice = <Value extends string>(props: ChoiceProps<Value>) => {
  const { label, values, nameOf = String, value, busy, onChange } = props
  return (
    <NativeSelect
      label={label}
      size="md"
      disabled={busy}
      value={value}
      data={values.map((each) => ({ value: each, label: nameOf(each) }))}
      onChange={({ currentTarget }) => {
        const chosen = values.find((each) => each === currentTarget.value)
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  )
}

/** Asks to name an address as the pool's own. */
export const OwnAddressDialog = ({ onClose }: Props) => {
  const [networkName, setNetwork] = useState(networkNames[0] ?? 'Bitcoin')
  const [kind, setKind] = useState<(typeof namedClasses)[number]>('COLD')
  const [address, setAddress] = useState('')
  return (
    <AskDialog
      title={t('address.title')}
      text={t('address.about')}
      onClose={onClose}
      asked={(reason) =>
        address.trim() === ''
          ? null
          : { kind: 'OWN_ADDRESS', networkName, address: address.trim(), class: kind, reason }
      }
    >
      {(busy) => (
        <>
          <Choice
            label={t('form.network')}
            values={networkNames}
            value={networkName}
            busy={busy}
            onChange={setNetwork}
          />
          <Choice
            label={t('form.class')}
            values={namedClasses}
            value={kind}
            busy={busy}
            nameOf={(each) => t(`class.${each}`)}
            onChange={setKind}
          />
          <TextInput
            label={t('form.address')}
            size="md"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={address}
            readOnly={busy}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        </>
      )}
    </AskDialog>
  )
}

/** Asks to record coins that the pool had before. */
export const OpeningDialog = ({ onClose }: Props) => {
  const [networkName, setNetwork] = useState(networkNames[0] ?? 'Bitcoin')
  const [chosen, setAsset] = useState<Coin | null>(null)
  const [account, setAccount] = useState<(typeof ownAccounts)[number]>('cold')
  const [amount, setAmount] = useState('')
  const assets = assetsOf(networkName).map(({ coin }) => coin)
  const asset = assets.find((each) => each === chosen) ?? assets[0]
  return (
    <AskDialog
      title={t('opening.title')}
      text={t('opening.about')}
      onClose={onClose}
      asked={(reason) =>
        amount.trim() === '' || asset === undefined
          ? null
          : { kind: 'OPENING', networkName, asset, account, amount: amount.trim(), reason }
      }
    >
      {(busy) => (
        <>
          <Choice
            label={t('form.network')}
            values={networkNames}
            value={networkName}
            busy={busy}
            onChange={setNetwork}
          />
          {asset !== undefined && (
            <Choice
              label={t('form.asset')}
              values={assets}
              value={asset}
              busy={busy}
              onChange={setAsset}
            />
          )}
          <Choice
            label={t('form.account')}
            values={ownAccounts}
            value={account}
            busy={busy}
            nameOf={(each) => t(`account.${each}`)}
            onChange={setAccount}
          />
          <TextInput
            label={t('form.amount')}
            description={t('form.amount.text')}
            size="md"
            autoComplete="off"
            maxLength={42}
            value={amount}
            readOnly={busy}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        </>
      )}
    </AskDialog>
  )
}
