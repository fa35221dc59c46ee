import { Link } from 'react-router'
import { t } from '../../i18n/notices.ts'
import classes from './Inbox.module.css'
import { NoticeList } from './NoticeList.tsx'

type Props = {
  readonly opened: boolean
  readonly hasUnread: boolean
  /** Closes the inbox, for what one of its links opens. */
  readonly onLeave: () => void
}

/** The notices below the bell, with the way to their page. */
export const Inbox = (props: Props) => (
  <>
    <NoticeList heading={<h2>{t('title')}</h2>} {...props} />
    <p className={classes.foot}>
      <Link to="/notices" onClick={props.onLeave}>
        {t('all')}
      </Link>
    </p>
  </>
)
