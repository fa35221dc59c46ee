import { Text } from '@mantine/core'
import { callFailed, succeeded } from '@pool/contract/base/messages'
import { type FormEvent, useEffect } from 'react'
import { isAsked, useDeleteWallet, type WalletRow } from '../../../api/chain/wallets.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { t as waiting } from '../../../i18n/waiting.ts'
import classes from '../../../tables/cells.module.css'
import { toast } from '../../../ui/toasts.ts'

type Props = { readonly wallet: WalletRow; readonly opened: boolean; readonly onClose: () => void }

/** Asks before a wallet is deleted, and shows a refusal (docs/product.md 3.13). */
export const DeleteWalletDialog = ({ wallet, opened, onClose }: Props) => {
  const { mutate, isPending, error, reset } = useDeleteWallet()
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    mutate(wallet.id, {
      onSuccess: ({ data }) => {
        toast({ message: isAsked(data) ? waiting('asked') : succeeded.walletDeleted })
        onClose()
      },
    })
  }
  return (
    <Dialog title={t('deleteWallet.title')} opened={opened} onClose={onClose} busy={isPending}>
      <DialogForm
        grave
        submitLabel={t('deleteWallet.submit')}
        busyLabel={t('deleteWallet.busy')}
        busy={isPending}
        error={error ? messageOf(error, callFailed.deleteWallet) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Text>{t('deleteWallet.question')}</Text>
        <Text size="sm" c="dimmed">
          {wallet.networkName} <span className={classes.address}>{wallet.address}</span>
        </Text>
      </DialogForm>
    </Dialog>
  )
}
