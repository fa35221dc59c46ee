import { NativeSelect, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { callFailed, succeeded, validation } from '@pool/contract/messages'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { useCreateWallet, useNetworks } from '../../api/wallets.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/admin.ts'

type Props = { readonly opened: boolean; readonly onClose: () => void }

/** The 'Add New Wallet' dialog (docs/product.md 3.13, 11.1). */
export const AddWalletDialog = ({ opened, onClose }: Props) => {
  const create = useCreateWallet()
  return (
    <Dialog title={t('addWallet.title')} opened={opened} onClose={onClose} busy={create.isPending}>
      <AddWalletForm create={create} onClose={onClose} />
    </Dialog>
  )
}

const AddWalletForm = ({
  create,
  onClose,
}: {
  create: ReturnType<typeof useCreateWallet>
  onClose: () => void
}) => {
  const networks = useNetworks()
  const [networkName, setNetworkName] = useState('')
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const choices = networks.map(({ name, displayName }) => ({ value: name, label: displayName }))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    if (!networkName.trim() || !address.trim()) return setProblem(validation.fillAllFields)
    setProblem(null)
    create.mutate(
      { networkName, address: address.trim() },
      {
        onError: (error) => setProblem(messageOf(error, callFailed.createWallet)),
        onSuccess: () => {
          notifications.show({ color: 'green', message: succeeded.walletCreated })
          onClose()
        },
      },
    )
  }

  return (
    <DialogForm
      submitLabel={t('wallets.add')}
      busyLabel={t('addWallet.busy')}
      busy={create.isPending}
      error={problem}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NativeSelect
        label={t('wallets.network')}
        data={[{ value: '', label: t('addWallet.select') }, ...choices]}
        value={networkName}
        disabled={create.isPending}
        data-autofocus
        onChange={(event) => setNetworkName(event.currentTarget.value)}
      />
      <TextInput
        label={t('addWallet.address')}
        placeholder={t('addWallet.placeholder')}
        value={address}
        disabled={create.isPending}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
