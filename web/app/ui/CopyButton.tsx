import { Button } from '@mantine/core'
import { COPY_CONFIRMATION_MS } from '@pool/contract/accounts/session'
import { succeeded } from '@pool/contract/base/messages'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { common } from '../i18n/common.ts'
import classes from './CopyButton.module.css'

type Words = { readonly copy: string; readonly copied: string; readonly refused: string }

const ofAddress: Words = {
  copy: common('copy'),
  copied: succeeded.addressCopied,
  refused: common('copyRefused'),
}

type Props = {
  readonly text: string
  readonly words?: Words
  readonly onRefused: () => void
}

type Outcome = 'copied' | 'refused' | null

/**
 * Copies an address, or another text by its own words, and says so for two seconds
 * (docs/product.md 3.7). Explains copying by hand when the browser refuses.
 */
export const CopyButton = ({ text, words = ofAddress, onRefused }: Props) => {
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
        {words.copy}
      </Button>
      <p className={classes.outcome} role="status" data-outcome={outcome}>
        {outcome === 'copied' && words.copied}
        {outcome === 'refused' && words.refused}
      </p>
    </div>
  )
}
