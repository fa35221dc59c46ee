import { Link } from 'react-router'
import { usePoolBook } from '../../api/poolBook.ts'
import { t } from '../../i18n/dashboard.ts'
import { formatRate } from '../../i18n/format.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import classes from './WorksIn.module.css'

/** Says what an investor's money works in, once the server has told it (docs/product.md 5.33). */
export const WorksIn = () => {
  const { data } = usePoolBook()
  const text = useDollarText()
  if (!data) return null
  const { book, arrears, reserve } = data
  const lent = (Math.round(book.outstanding * 100) - Math.round(reserve.deployed * 100)) / 100
  return (
    <section className={classes.card} aria-labelledby="works-in">
      <h2 id="works-in">{t('worksIn')}</h2>
      <p>{lent > 0 ? t('worksIn.lent', { amount: text(lent) }) : t('worksIn.safe')}</p>
      {book.everLent === 0 ? (
        <p>{t('worksIn.none')}</p>
      ) : (
        <p>
          {t('worksIn.loans', { capital: text(reserve.deployed), loans: book.loans })}{' '}
          {t('worksIn.late', { share: formatRate(arrears.risk30 ?? 0) })}
        </p>
      )}
      <Link to="/pool">{t('worksIn.all')}</Link>
    </section>
  )
}
