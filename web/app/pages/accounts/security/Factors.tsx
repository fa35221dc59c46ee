import { Button, Text } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { type ListedFactor, useFactors } from '../../../api/accounts/factors.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { common } from '../../../i18n/common.ts'
import { t } from '../../../i18n/factors.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Card } from './Card.tsx'
import classes from './Factors.module.css'

const AddDialog = dialogOnDemand(
  async () => (await import('./AddFactorDialog.tsx')).AddFactorDialog,
)
const RenameDialog = dialogOnDemand(async () => (await import('./FactorDialogs.tsx')).RenameDialog)
const RemoveDialog = dialogOnDemand(async () => (await import('./FactorDialogs.tsx')).RemoveDialog)
const RenewDialog = dialogOnDemand(async () => (await import('./FactorDialogs.tsx')).RenewDialog)

/** The open dialog, and the factor that it is about. */
type OpenDialog =
  | { readonly dialog: 'TOTP' | 'PASSKEY' | 'renew' }
  | { readonly dialog: 'rename' | 'remove'; readonly factor: ListedFactor }

const icons = { TOTP: IconDeviceMobile, PASSKEY: IconFingerprint } as const

type LineProps = { readonly factor: ListedFactor; readonly onOpen: (open: OpenDialog) => void }

const Line = ({ factor, onOpen }: LineProps) => {
  const { kind, name, createdAt, lastUsedAt } = factor
  const known = kind === 'PASSKEY' ? 'PASSKEY' : 'TOTP'
  const Icon = icons[known]
  return (
    <li className={classes.line}>
      <Icon size={22} stroke={1.6} aria-hidden />
      <div className={classes.words}>
        <strong>{name}</strong>
        <span>
          {t(`kind.${known}`)} · {t('added', { moment: '' })}
          <DateTime at={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {t('used', { moment: '' })}
              <DateTime at={lastUsedAt} />
            </>
          ) : (
            t('unused')
          )}
        </span>
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          size="xs"
          aria-label={t('rename.of', { name })}
          onClick={() => onOpen({ dialog: 'rename', factor })}
        >
          {t('rename')}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={t('remove.of', { name })}
          onClick={() => onOpen({ dialog: 'remove', factor })}
        >
          {t('remove')}
        </Button>
      </div>
    </li>
  )
}

/** The second factors of the account, and the ways to add and change them. */
export const Factors = () => {
  const { data, error, refetch, isFetching } = useFactors()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  const factors = data?.factors ?? []
  const isFirst = factors.length === 0
  // With no other factor, the next one needs the password, as the first does.
  const isAlone = factors.every(({ isLeaked }) => isLeaked)
  return (
    <Card id="factors" title={t('title')} text={t('text')}>
      {error && !data && (
        <ErrorState
          message={messageOf(error, t('failed'))}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data?.isRequired && isFirst && (
        <Text role="status" className={classes.required}>
          {t('required')}
        </Text>
      )}
      {factors.some(({ isLeaked }) => isLeaked) && (
        <Text role="status" className={classes.required}>
          {t('leaked')}
        </Text>
      )}
      {(data || !error) &&
        (isFirst ? (
          // The same height while the list is loading, so that nothing moves.
          <p className={classes.none}>{data ? t('none') : common('loading')}</p>
        ) : (
          <ul className={classes.list} aria-label={t('list')}>
            {factors.map((factor) => (
              <Line key={factor.id} factor={factor} onOpen={setOpen} />
            ))}
          </ul>
        ))}
      {(data || !error) && (
        <div className={classes.add}>
          <Button variant="default" disabled={!data} onClick={() => setOpen({ dialog: 'TOTP' })}>
            {t('app.add')}
          </Button>
          <Button variant="default" disabled={!data} onClick={() => setOpen({ dialog: 'PASSKEY' })}>
            {t('passkey.add')}
          </Button>
          {!isFirst && (
            <Button variant="default" onClick={() => setOpen({ dialog: 'renew' })}>
              {t('codes.renew')}
            </Button>
          )}
        </div>
      )}
      {data && !isFirst && (
        <p className={classes.none}>{t('codes.left', { count: data.recoveryCodes })}</p>
      )}
      {(open?.dialog === 'TOTP' || open?.dialog === 'PASSKEY') && (
        <AddDialog kind={open.dialog} isFirst={isAlone} onClose={close} />
      )}
      {open?.dialog === 'rename' && <RenameDialog factor={open.factor} onClose={close} />}
      {open?.dialog === 'remove' && (
        <RemoveDialog factor={open.factor} isLast={factors.length === 1} onClose={close} />
      )}
      {open?.dialog === 'renew' && <RenewDialog onClose={close} />}
    </Card>
  )
}
