import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ShownCollateral } from '../../../api/lending/loanRecords.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/loanRecords.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { Day } from '../../../panels/loans/Day.tsx'
import { draftedDialog } from '../../../session/drafts.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { Money } from '../../../ui/Money.tsx'
import classes from './OneLoan.module.css'
import { RecordLine } from './RecordLine.tsx'

const CollateralDialog = dialogOnDemand(
  async () => (await import('./CollateralDialog.tsx')).CollateralDialog,
)
const WithdrawDialog = dialogOnDemand(
  async () => (await import('./WithdrawDialog.tsx')).WithdrawDialog,
)

type Props = {
  readonly loanId: string
  readonly collateral: readonly ShownCollateral[]
  /** True for the borrower's own account, which adds and withdraws none. */
  readonly isOwn: boolean
}

/** The collateral of a loan, each with its value and the day of that (docs/product.md 5.35). */
export const Collateral = ({ loanId, collateral, isOwn }: Props) => {
  const me = useSessionUser()?.id ?? ''
  const mayChange = useMayWrite() && !isOwn
  const [adding, setAdding] = useState<boolean | null>(
    draftedDialog(me) === `collateral ${loanId}` || null,
  )
  const ending = useSubject<ShownCollateral>()
  return (
    <section aria-labelledby="collateral" className={classes.section}>
      <div className={classes.bar}>
        <h2 id="collateral">{t('collateral')}</h2>
        {mayChange && (
          <Button variant="default" size="xs" onClick={() => setAdding(true)}>
            {t('collateral.add')}
          </Button>
        )}
      </div>
      <div className={classes.card}>
        {collateral.length === 0 && <p className={classes.none}>{t('collateral.none')}</p>}
        <ul className={classes.lines} aria-label={t('collateral')}>
          {collateral.map((each) => (
            <RecordLine
              key={each.id}
              record={each}
              heading={each.description}
              withdrawLabel={t('collateral.withdraw', { name: each.description })}
              onWithdraw={mayChange ? () => ending.open(each) : null}
            >
              <p className={classes.muted}>
                <span>
                  <Money dollars={each.value} /> {t('valued')} <Day on={each.valuedOn} />
                </span>
              </p>
            </RecordLine>
          ))}
        </ul>
      </div>
      {adding !== null && (
        <CollateralDialog loanId={loanId} opened={adding} onClose={() => setAdding(false)} />
      )}
      {ending.row && (
        <WithdrawDialog
          kind="collateral"
          id={ending.row.id}
          name={ending.row.description}
          opened={ending.opened}
          onClose={ending.close}
        />
      )}
    </section>
  )
}
