import { Link } from 'react-router'
import { inDefault, usePoolBook } from '../../api/lending/poolBook.ts'
import { formatRate } from '../../i18n/format.ts'
import { t } from '../../i18n/worksIn.ts'
import { PaidBy } from '../../panels/paidBy/PaidBy.tsx'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import classes from './WorksIn.module.css'

/** Says what an investor's money works in, once the server has told it (docs/product.md 5.33). */
export const WorksIn = () => {
  const { data } = usePoolBook()
  const text = useDollarText()
  if (!data) return null
  const { book, arrears, reserve } = data
  const defaulted = inDefault(data)
  return (
    <section className={classes.card} aria-labelledby="works-in">
      <h2 id="works-in">{t('title')}</h2>
      <p>{reserve.lent > 0 ? t('lent', { amount: text(reserve.lent) }) : t('safe')}</p>
      {book.everLent === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <p>
          {t('loans', {
            capital: text(reserve.deployed),
            loans: book.loans - defaulted,
            defaulted,
          })}{' '}
          {t('late', { share: formatRate(arrears.risk30 ?? 0) })}
        </p>
      )}
      <PaidBy pool={data} />
      <Link to="/pool">{t('all')}</Link>
    </section>
  )
}
