import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ShownCollateral } from '../../../api/lending/loanRecords.ts'
import { t } from '../../../i18n/loanRecords.ts'
import { Tag } from '../../../tables/cells.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import classes from './OneLoan.module.css'

type Props = {
  readonly record: Pick<
    ShownCollateral,
    'recordedBy' | 'at' | 'withdrawnFor' | 'withdrawnBy' | 'withdrawnAt'
  >
  readonly heading: ReactNode
  /** Facts of the record, before its author. */
  readonly children: ReactNode
  /** The accessible name of the button. */
  readonly withdrawLabel: string
  /** Null for a reader who may not withdraw it. */
  readonly onWithdraw: (() => void) | null
}

/** Collateral or a document with its author, and how it was withdrawn. */
export const RecordLine = ({ record, heading, children, withdrawLabel, onWithdraw }: Props) => {
  const { recordedBy, at, withdrawnFor, withdrawnBy, withdrawnAt } = record
  return (
    <li className={classes.line}>
      <div>
        <h3>
          {heading}
          {withdrawnFor !== null && <Tag tone="red">{t('withdrawn')}</Tag>}
        </h3>
        {children}
        <p className={classes.muted}>
          <span>
            <Email>{recordedBy}</Email>
          </span>
          <DateTime at={at} />
        </p>
        {withdrawnFor !== null && (
          <p className={classes.muted}>
            <span>
              {t('withdrawn')}: <q>{withdrawnFor}</q>
            </span>
            <span>
              <Email>{withdrawnBy ?? ''}</Email>
            </span>
            <DateTime at={withdrawnAt} />
          </p>
        )}
      </div>
      {onWithdraw && withdrawnFor === null && (
        <Button
          size="xs"
          variant="light"
          color="red"
          aria-label={withdrawLabel}
          onClick={onWithdraw}
        >
          {t('withdraw')}
        </Button>
      )}
    </li>
  )
}
