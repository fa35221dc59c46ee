import { Button } from '@mantine/core'
import { succeeded } from '@pool/contract/messages'
import { COPY_CONFIRMATION_MS } from '@pool/contract/session'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { common } from '../i18n/common.ts'
import classes from './CopyButton.module.css'

type Outcome = 'copied' | 'refused' | null

/**
 * Copies an address and says so for two seconds (docs/product.md 3.7). Explains copying by hand
 * when the browser refuses.
 */
export const CopyButton = ({ text, onRefused }: { text: string; onRefused: () => void }) => {
  const [outcome, setOutcome] = useState<Outcome>(null)
  useEffect(() => {
    if (outcome !== 'copied') return
    const timer = setTimeout(() => setOutcome(null), COPY_CONFIRMATION_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('refused')
      onRefused()
    }
  }
  return (
    <div className={classes.copy}>
      <Button
        variant="light"
        fullWidth
        leftSection={
          outcome === 'copied' ? (
            <IconCheck size={18} aria-hidden />
          ) : (
            <IconCopy size={18} aria-hidden />
          )
        }
        onClick={() => void copy()}
      >
        {common('copy')}
      </Button>
      <p className={classes.outcome} role="status" data-outcome={outcome}>
        {outcome === 'copied' && succeeded.addressCopied}
        {outcome === 'refused' && common('copyRefused')}
      </p>
    </div>
  )
}
