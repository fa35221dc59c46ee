import { t } from '../../i18n/landing.ts'
import classes from './Figures.module.css'

/** The places of the sentences, which theme/loans.js fills in. */
const places = {
  day: '{day}',
  principal: '{principal}',
  rate: '{rate}',
  paid: '{paid}',
  instalments: '{instalments}',
  interest: '{interest}',
  late: '{late}',
}

/** One loan of the book, chosen by its age alone and told to its end. Hidden before the first. */
export const Followed = () => (
  <p
    className={classes.text}
    data-followed={t('followed.lent', places)}
    data-active={t('followed.active', places)}
    data-late={t('followed.late', places)}
    data-repaid={t('followed.repaid', places)}
    data-defaulted={t('followed.defaulted', places)}
    data-written_off={t('followed.writtenOff', places)}
    hidden
  />
)
