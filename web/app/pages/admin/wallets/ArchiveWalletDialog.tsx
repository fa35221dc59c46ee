import { Text } from '@mantine/core'
import { callFailed, succeeded } from '@pool/contract/base/messages'
import { type FormEvent, useEffect } from 'react'
import { readWallet, useArchiveWallet, type WalletRow } from '../../../api/chain/wallets.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t as admin } from '../../../i18n/admin.ts'
import { t } from '../../../i18n/archiveWallet.ts'
import { t as waiting } from '../../../i18n/waiting.ts'
import cells from '../../../tables/cells.module.css'
import { toast } from '../../../ui/toasts.ts'
import classes from './ArchiveWalletDialog.module.css'

type Props = { readonly wallet: WalletRow; readonly opened: boolean; readonly onClose: () => void }

/** The outcome of an archiving, which may wait for a second member of staff. */
const archived = (data: unknown): string =>
  readWallet(data).dateArchived === null ? waiting('asked') : succeeded.walletArchived

/** Archives an assigned wallet, or restores an archived one, and says what this means. */
export const ArchiveWalletDialog = ({ wallet, opened, onClose }: Props) => {
  const { id, networkName, address, owner, dateArchived } = wallet
  const isArchived = dateArchived !== null
  const { mutate, isPending, error, reset } = useArchiveWallet()
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    mutate(
      { id, isArchived },
      {
        onSuccess: ({ data }) => {
          toast({ message: isArchived ? succeeded.walletRestored : archived(data) })
          onClose()
        },
      },
    )
  }
  const failed = isArchived ? callFailed.restoreWallet : callFailed.archiveWallet
  const kind = isArchived ? 'restoreWallet' : 'archiveWallet'
  return (
    <Dialog title={t(`${kind}.title`)} opened={opened} onClose={onClose} busy={isPending}>
      <DialogForm
        grave={!isArchived}
        submitLabel={t(`${kind}.submit`)}
        busyLabel={t(`${kind}.busy`)}
        busy={isPending}
        error={error ? messageOf(error, failed) : null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Text>{t(`${kind}.question`)}</Text>
        <Text size="sm" c="dimmed">
          {networkName} <span className={cells.address}>{address}</span>
          {owner && (
            <>
              <br />
              {admin('wallets.owner')} {owner}
            </>
          )}
        </Text>
        <ul className={classes.points}>
          <li>{t(`${kind}.deposits`)}</li>
          <li>{t(`${kind}.networks`)}</li>
          {!isArchived && <li>{t('archiveWallet.owner')}</li>}
        </ul>
      </DialogForm>
    </Dialog>
  )
}
