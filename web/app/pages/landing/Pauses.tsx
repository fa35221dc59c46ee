import { isPaused } from '@pool/contract/base/messages'
import {
  BREAK_REASON,
  LOSS_REASON,
  listPauses,
  pauseNames,
  WIND_DOWN_REASON,
} from '@pool/contract/money/pauses'
import { useEffect } from 'react'
import { pauseReason } from '../../i18n/named.ts'
import classes from '../../ui/Notice.module.css'

/** The reasons of the product's own pauses. */
const known = [BREAK_REASON, LOSS_REASON, WIND_DOWN_REASON]

/** The pauses, which theme/page.js fills in. Hidden while everything runs. */
export const Pauses = () => {
  useEffect(() => void window.dispatchEvent(new Event('pauses')), [])
  return (
    <div
      className={classes.notice}
      role="status"
      data-pauses={listPauses.path}
      data-known={JSON.stringify(known.map((reason) => [reason, pauseReason(reason)]))}
      hidden
    >
      {pauseNames.map((name) => (
        <p key={name} data-pause={name} data-sentence={isPaused[name]('{reason}')} hidden />
      ))}
    </div>
  )
}
