import { t } from '../i18n/pages.ts'
import classes from './News.module.css'

type Props = { readonly count: number; readonly onShow: () => void }

/** Says how many new rows wait, and shows them when it is pressed. */
export const News = ({ count, onShow }: Props) => (
  <div role="status" className={classes.place}>
    {count > 0 && (
      <button type="button" className={classes.news} onClick={onShow}>
        {t('news', { count })}
      </button>
    )}
  </div>
)
