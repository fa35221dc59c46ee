import { accountKinds } from '@pool/contract/money/ledger'
import { useId } from 'react'
import type { StoryTransfer } from '../../api/requests/stories.ts'
import { t } from '../../i18n/story.ts'
import { Money } from '../../ui/Money.tsx'
import classes from './StoryPanel.module.css'

const accountName = (kind: string): string => {
  const known = accountKinds.find((account) => account === kind)
  return known ? t(`account.${known}`) : kind
}

/** The transfers of the ledger behind a row. */
export const Transfers = ({
  transfers,
  areArchived,
}: {
  transfers: readonly StoryTransfer[]
  areArchived: boolean
}) => {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes.heading}>
        {t('transfers')}
      </h3>
      {transfers.length === 0 ? (
        <p className={classes.aside}>{t(areArchived ? 'transfers.archived' : 'transfers.none')}</p>
      ) : (
        <>
          <p className={classes.aside}>{t('transfers.text')}</p>
          <table className={classes.transfers} aria-labelledby={id}>
            <thead>
              <tr>
                <th scope="col">{t('from')}</th>
                <th scope="col">{t('to')}</th>
                <th scope="col">{t('amount')}</th>
              </tr>
            </thead>
            <tbody>
              {transfers.map(({ movement, from, to, amount }) => (
                <tr key={`${movement} ${from} ${to}`}>
                  <td>{accountName(from)}</td>
                  <td>{accountName(to)}</td>
                  <td>
                    <Money dollars={amount} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  )
}
