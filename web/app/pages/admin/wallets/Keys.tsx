import { Button, Group, Text, Title } from '@mantine/core'
import { UNPAID_WARNING } from '@pool/contract/chain/addressKeys'
import { useState } from 'react'
import { type KeyRow, useKeys } from '../../../api/chain/addressKeys.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/keys.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingRows } from '../../../ui/LoadingRows.tsx'
import classes from './Keys.module.css'

const AddKeyDialog = onDemand(async () => (await import('./AddKeyDialog.tsx')).AddKeyDialog)
const EndKeyDialog = onDemand(async () => (await import('./EndKeyDialog.tsx')).EndKeyDialog)

type CardProps = { readonly row: KeyRow; readonly onEnd: () => void }

const Card = ({ row, onEnd }: CardProps) => {
  const { networkName, fingerprint, nextIndex, ahead, unpaid, addedBy, dateCreated } = row
  const mayWrite = useMayWrite()
  return (
    <li className={classes.card}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={4} size="h5">
          {t('key.name', { network: networkName })}
        </Title>
        {mayWrite && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('key.end.named', { network: networkName })}
            onClick={onEnd}
          >
            {t('key.end')}
          </Button>
        )}
      </Group>
      <dl className={classes.facts}>
        <dt>{t('key.fingerprint')}</dt>
        <dd>{fingerprint ?? t('key.untold')}</dd>
        <dt>{t('key.next')}</dt>
        <dd>{nextIndex}</dd>
        <dt>{t('key.ahead')}</dt>
        <dd>{ahead}</dd>
        <dt>{t('key.unpaid')}</dt>
        <dd>{unpaid}</dd>
        <dt>{t('key.addedBy')}</dt>
        <dd>
          <Email>{addedBy}</Email> <DateTime at={dateCreated} />
        </dd>
      </dl>
      {unpaid >= UNPAID_WARNING && <p className={classes.far}>{t('key.far')}</p>}
    </li>
  )
}

type Props = {
  /** The network that a new key begins with; empty for none. */
  readonly network: string
  /** True if the last session ended while a key was added. */
  readonly drafted: boolean
}

/** The watch-only keys from which deposit addresses are derived. */
export const Keys = ({ network, drafted }: Props) => {
  const { data: keys, isError, isFetching, refetch } = useKeys(t('keys.failed'))
  const [adding, setAdding] = useState<boolean | null>(drafted || null)
  const ending = useSubject<KeyRow>()
  const mayWrite = useMayWrite()
  return (
    <section className={classes.keys} aria-label={t('keys')}>
      <Group justify="space-between" gap="sm">
        <div>
          <Title order={3} size="h5">
            {t('keys')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('keys.text')}
          </Text>
        </div>
        {mayWrite && (
          <Button variant="default" onClick={() => setAdding(true)}>
            {t('keys.add')}
          </Button>
        )}
      </Group>
      {isError && (
        <ErrorState
          message={t('keys.failed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!keys && !isError && <LoadingRows label={t('keys.loading')} />}
      {keys && keys.length > 0 && (
        <ul className={classes.cards}>
          {keys.map((row) => (
            <Card key={row.id} row={row} onEnd={() => ending.open(row)} />
          ))}
        </ul>
      )}
      {adding !== null && (
        <AddKeyDialog network={network} opened={adding} onClose={() => setAdding(false)} />
      )}
      {ending.row && (
        <EndKeyDialog row={ending.row} opened={ending.opened} onClose={ending.close} />
      )}
    </section>
  )
}
