import { statementBalances, statementSums } from '@pool/contract/reports/statements'
import { usePreview } from '../../../api/reports/statements.ts'
import { t } from '../../../i18n/statements.ts'
import { FigureTable } from '../../../ui/FigureTable.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Statements.module.css'

type Props = { readonly period: string; readonly name: string }

/** The balances and sums of a statement, before its file (docs/product.md 5.39). */
export const Preview = ({ period, name }: Props) => {
  const query = usePreview(period, t('preview.failed'))
  const { data } = query
  if (!data)
    return <Pending query={query} failed={t('preview.failed')} loading={t('preview.loading')} />
  const { opening, closing, sums, lines } = data
  return (
    <div className={classes.preview}>
      <p className={classes.text}>{t('preview.lines', { count: lines })}</p>
      <FigureTable
        label={t('preview.balances', { period: name })}
        headings={[t('preview.balance'), t('preview.opening'), t('preview.closing')]}
        rows={statementBalances
          .filter((each) => each === 'total' || opening[each] !== 0 || closing[each] !== 0)
          .map((each) => [
            t(`balance.${each}`),
            <Money key="opening" dollars={opening[each]} />,
            <Money key="closing" dollars={closing[each]} />,
          ])}
      />
      {statementSums.some((each) => sums[each] !== 0) && (
        <FigureTable
          label={t('preview.sums', { period: name })}
          headings={[t('preview.sum'), t('preview.amount')]}
          rows={statementSums
            .filter((each) => sums[each] !== 0)
            .map((each) => [t(`sum.${each}`), <Money key="sum" dollars={sums[each]} />])}
        />
      )}
    </div>
  )
}
