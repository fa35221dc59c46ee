import { NativeSelect, Text, TextInput } from '@mantine/core'
import { callFailed, succeeded } from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { LABEL_LENGTH, PAYOUT_ADDRESS_WAIT_HOURS } from '@pool/contract/money/payoutAddresses'
import { type FormEvent, useState } from 'react'
import { useNetworks } from '../../api/chain/wallets.ts'
import { fieldOf, messageOf } from '../../api/http/errors.ts'
import { usePayoutAddress, useSavePayoutAddress } from '../../api/money/payoutAddresses.ts'
import { configuration } from '../../configuration.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { common } from '../../i18n/common.ts'
import { t as dashboard } from '../../i18n/dashboard.ts'
import { t } from '../../i18n/dialogs.ts'
import { useDraft } from '../../session/drafts.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './dialogs.module.css'
import { SavedAddress } from './SavedAddress.tsx'

type Props = {
  readonly userId: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Shows and saves the payout address. */
export const PayoutAddressDialog = ({ userId, opened, onClose }: Props) => {
  const save = useSavePayoutAddress()
  const close = () => {
    save.reset()
    onClose()
  }
  return (
    <Dialog
      title={dashboard('payoutAddress')}
      opened={opened}
      onClose={close}
      busy={save.isPending}
    >
      <PayoutAddressForm userId={userId} save={save} onClose={close} />
    </Dialog>
  )
}

const InUse = () => {
  const { data } = usePayoutAddress()
  return (
    data?.current && (
      <div className={classes.shown}>
        <span>{t('payoutAddress.current')}</span>
        <SavedAddress {...data.current} />
      </div>
    )
  )
}

const PayoutAddressForm = ({
  userId,
  save,
  onClose,
}: {
  userId: string
  save: ReturnType<typeof useSavePayoutAddress>
  onClose: () => void
}) => {
  const networks = useNetworks()
  const draft = useDraft('payoutAddress', userId, {
    networkName: '',
    address: '',
    label: '',
  })
  const [networkName, setNetworkName] = useState(draft.initial.networkName)
  const [address, setAddress] = useState(draft.initial.address)
  const [label, setLabel] = useState(draft.initial.label)
  draft.keep(() => ({ networkName, address, label }))
  const [isIncomplete, setIncomplete] = useState(false)
  const said = save.error && messageOf(save.error, callFailed.savePayoutAddress)
  const isAboutAddress = fieldOf(save.error) === 'address'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const incomplete = !networkName || !address.trim()
    setIncomplete(incomplete)
    if (incomplete || save.isPending) return save.isPending ? undefined : save.reset()
    save.mutate(
      { networkName, address: address.trim(), label: label.trim() },
      {
        onSuccess: () => {
          toast({ message: succeeded.payoutAddressSaved })
          onClose()
        },
      },
    )
  }

  return (
    <DialogForm
      submitLabel={t('payoutAddress.save')}
      busyLabel={t('payoutAddress.busy')}
      busy={save.isPending}
      error={isIncomplete ? validation.fillAllFields : isAboutAddress ? null : said}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('payoutAddress.about', { fallback: common('defaultDestination') })}
        {configuration().poolMode === 'live' &&
          ` ${t('payoutAddress.wait', { hours: PAYOUT_ADDRESS_WAIT_HOURS })}`}
      </Text>
      <InUse />
      <NativeSelect
        label={t('payoutAddress.network')}
        size="md"
        data={[
          { value: '', label: t('network.choose') },
          ...networks.map(({ name, displayName }) => ({ value: name, label: displayName })),
        ]}
        value={networkName}
        data-autofocus
        onChange={(event) => setNetworkName(event.currentTarget.value)}
      />
      <TextInput
        label={t('payoutAddress.address')}
        size="md"
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        error={isAboutAddress && !isIncomplete ? said : null}
        value={address}
        readOnly={save.isPending}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <TextInput
        label={t('payoutAddress.label')}
        description={t('payoutAddress.label.hint')}
        size="md"
        maxLength={LABEL_LENGTH}
        autoComplete="off"
        value={label}
        readOnly={save.isPending}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
