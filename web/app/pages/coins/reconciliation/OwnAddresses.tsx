import { Button } from '@mantine/core'
import { useState } from 'react'
import { useOwnAddresses } from '../../../api/coins/reconciliation.ts'
import { t } from '../../../i18n/reconciliation.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useSessionUser } from '../../../session/store.ts'
import { Code, Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Reconciliation.module.css'

const OwnAddressDialog = dialogOnDemand(
  async () => (await import('./CustodyDialogs.tsx')).OwnAddressDialog,
)
const OpeningDialog = dialogOnDemand(
  async () => (await import('./CustodyDialogs.tsx')).OpeningDialog,
)

const names = ['COLD', 'SAFE', 'PAYER', 'CHANGE'] as const
const className = (text: string): string => {
  const known = names.find((each) => each === text)
  return known ? t(`class.${known}`) : text
}

const List = () => {
  const query = useOwnAddresses(t('addresses.failed'))
  const { data: addresses } = query
  if (!addresses)
    return <Pending query={query} failed={t('addresses.failed')} loading={t('loading')} />
  return (
    <CardLines
      label={t('addresses')}
      empty={<EmptyState title={t('addresses.empty')} text={t('addresses.empty.text')} />}
    >
      {addresses.map(({ id, network, address, class: kind, createdAt }) => (
        <CardLine key={id}>
          <Facts>
            <Tag tone="grey">{className(kind)}</Tag>
            <span>{network}</span>
            <DateTime at={createdAt} />
          </Facts>
          <Code text={address} />
        </CardLine>
      ))}
    </CardLines>
  )
}

/** Addresses that no investor pays to, and what super admins ask for about them. */
export const OwnAddresses = () => {
  const mayAsk = useSessionUser()?.role === 'SUPER_ADMIN'
  const [asking, ask] = useState<'address' | 'opening' | null>(null)
  const close = () => ask(null)
  return (
    <>
      {mayAsk && (
        <p className={classes.actions}>
          <Button variant="default" size="sm" onClick={() => ask('address')}>
            {t('address.name')}
          </Button>
          <Button variant="default" size="sm" onClick={() => ask('opening')}>
            {t('opening')}
          </Button>
        </p>
      )}
      <List />
      {asking === 'address' && <OwnAddressDialog onClose={close} />}
      {asking === 'opening' && <OpeningDialog onClose={close} />}
    </>
  )
}
