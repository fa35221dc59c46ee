import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ShownClaim, useClaims } from '../../../api/money/claims.ts'
import { t } from '../../../i18n/chains.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { Pending } from '../../../ui/Pending.tsx'

const WriteOffDialog = dialogOnDemand(
  async () => (await import('./WriteOffDialog.tsx')).WriteOffDialog,
)

type LineProps = { readonly claim: ShownClaim; readonly onWriteOff: () => void }

const Line = ({ claim, onWriteOff }: LineProps) => {
  const { depositId, userId, userEmail, amount, open, writtenOff, basis, at } = claim
  const text = useDollarText()
  const mayAsk = useSessionUser()?.role === 'SUPER_ADMIN'
  return (
    <CardLine
      title={
        <>
          {text(amount)}{' '}
          <Tag tone={open > 0 ? 'red' : 'grey'}>
            {open > 0 ? t('claims.open', { open: text(open) }) : t('claims.settled')}
          </Tag>
        </>
      }
    >
      <p>
        <q lang="en">{basis}</q>
      </p>
      <Facts>
        <DateTime at={at} />
        <Link to={`/admin/users/${userId}`}>{userEmail}</Link>
        <Link to={`/admin?transaction=${depositId}`}>{t('deposit')}</Link>
        {writtenOff > 0 && <span>{t('claims.writtenOff', { amount: text(writtenOff) })}</span>}
        {open > 0 && mayAsk && (
          <Button size="xs" variant="default" onClick={onWriteOff}>
            {t('writeOff')}
          </Button>
        )}
      </Facts>
    </CardLine>
  )
}

/** Credited deposits whose coins went, with what their investors owe. */
export const Claims = () => {
  const query = useClaims(t('claims.failed'))
  const { data: claims } = query
  const [chosen, choose] = useState<ShownClaim | null>(null)
  if (!claims) return <Pending query={query} failed={t('claims.failed')} loading={t('loading')} />
  return (
    <>
      <CardLines
        label={t('claims')}
        empty={<EmptyState title={t('claims.empty')} text={t('claims.empty.text')} />}
      >
        {claims.map((claim) => (
          <Line key={claim.depositId} claim={claim} onWriteOff={() => choose(claim)} />
        ))}
      </CardLines>
      {chosen && (
        <WriteOffDialog key={chosen.depositId} claim={chosen} onClose={() => choose(null)} />
      )}
    </>
  )
}
