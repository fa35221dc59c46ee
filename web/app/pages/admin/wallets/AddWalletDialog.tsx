import { NativeSelect, TextInput } from '@mantine/core'
import { callFailed, succeeded } from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { type FormEvent, useState } from 'react'
import { readWallet, useCreateWallet, useNetworks } from '../../../api/chain/wallets.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { t as waiting } from '../../../i18n/waiting.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  /** The network that is chosen at first; empty for none. */
  readonly network: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** The 'Add New Wallet' dialog (docs/product.md 3.13, 11.1). */
export const AddWalletDialog = ({ network, opened, onClose }: Props) => {
  const create = useCreateWallet()
  return (
    <Dialog title={t('addWallet.title')} opened={opened} onClose={onClose} busy={create.isPending}>
      <AddWalletForm network={network} create={create} onClose={onClose} />
    </Dialog>
  )
}

const AddWalletForm = ({
  network,
  create,
  onClose,
}: {
  network: string
  create: ReturnType<typeof useCreateWallet>
  onClose: () => void
}) => {
  const networks = useNetworks()
  const draft = useDraft('wallet', useSessionUser()?.id ?? '', {
    networkName: network,
    address: '',
  })
  const [networkName, setNetworkName] = useState(draft.initial.networkName)
  const [address, setAddress] = useState(draft.initial.address)
  draft.keep(() => ({ networkName, address }))
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
        onSuccess: ({ data }) => {
          const { waits } = readWallet(data)
          toast({ message: waits ? waiting('added', { count: 1 }) : succeeded.walletCreated })
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
        readOnly={create.isPending}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
