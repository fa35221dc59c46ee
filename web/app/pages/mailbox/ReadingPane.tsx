import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { useMail } from '../../api/mails.ts'
import { t } from '../../i18n/mailbox.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Email } from '../../ui/Email.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import classes from './Mailbox.module.css'

/** A mail as its reader sees it. The frame runs no scripts; links open beside the mailbox. */
export const ReadingPane = ({ id }: { id: string }) => {
  const { data: mail, error, refetch, isFetching } = useMail(id, t('failed'))
  return (
    <>
      <Link to="?" className={classes.toList} preventScrollReset>
        <IconArrowLeft size={16} aria-hidden />
        {t('list')}
      </Link>
      {error && !mail && (
        <ErrorState
          message={messageOf(error, t('failed'))}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!error && !mail && <LoadingRows label={t('loading')} />}
      {mail && (
        <article className={classes.mail}>
          <h3 className={classes.subject}>{mail.subject}</h3>
          <dl className={classes.head}>
            <dt>{t('to')}</dt>
            <dd>
              <Email>{mail.recipient}</Email>
            </dd>
            <dt>{t('at')}</dt>
            <dd>
              <DateTime at={mail.createdAt} />
            </dd>
          </dl>
          <iframe
            className={classes.frame}
            title={mail.subject}
            srcDoc={mail.html}
            sandbox="allow-popups allow-popups-to-escape-sandbox"
          />
          <details className={classes.plain}>
            <summary>{t('plain')}</summary>
            <pre>{mail.text}</pre>
          </details>
        </article>
      )}
    </>
  )
}
