import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../../api/http/errors.ts'
import { downloadOwnData } from '../../../api/reports/ownData.ts'
import { locale } from '../../../i18n/language.ts'
import { t } from '../../../i18n/ownData.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import notice from '../../../ui/Notice.module.css'
import { saveFile } from '../../../ui/saveFile.ts'
import { Card } from './Card.tsx'
import classes from './OwnData.module.css'

const CloseDialog = dialogOnDemand(async () => (await import('./CloseDialog.tsx')).CloseDialog)

type State =
  | { readonly is: 'ready' | 'done' }
  | { readonly is: 'loading'; readonly bytes: number }
  | { readonly is: 'failed'; readonly message: string }

const nameOfToday = (): string => `own-data-${new Date().toISOString().slice(0, 10)}.zip`

/** The words of the status. A number of every portion would be too much to hear. */
const saidOf = ({ is }: State): string => {
  if (is === 'loading') return t('downloading')
  return is === 'done' ? t('done') : ''
}

const sizeOf = (bytes: number): string =>
  t('progress', { size: Math.ceil(bytes / 1_000).toLocaleString(locale()) })

/** The data that is kept about the user, and the way to have it. */
export const OwnData = ({ mayClose }: { readonly mayClose: boolean }) => {
  const [asked, setAsked] = useState(false)
  const [opened, setOpened] = useState(false)
  const [state, setState] = useState<State>({ is: 'ready' })
  const running = useRef<AbortController>(undefined)
  // Leaving the page stops the download.
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const stopping = new AbortController()
    running.current = stopping
    setState({ is: 'loading', bytes: 0 })
    const onProgress = (bytes: number) => setState({ is: 'loading', bytes })
    try {
      const file = await downloadOwnData(t('failed'), { signal: stopping.signal, onProgress })
      saveFile(file, nameOfToday())
      setState({ is: 'done' })
    } catch (error) {
      setState(
        stopping.signal.aborted
          ? { is: 'ready' }
          : { is: 'failed', message: messageOf(error, t('failed')) },
      )
    }
  }
  const isLoading = state.is === 'loading'
  return (
    <Card
      id="own-data"
      title={t('title')}
      text={t('text')}
      action={
        // One button, so that the focus stays.
        <Button
          variant="default"
          onClick={() => (isLoading ? running.current?.abort() : void start())}
        >
          {t(isLoading ? 'stop' : 'download')}
        </Button>
      }
    >
      <div className={classes.said}>
        <span role="status">{saidOf(state)}</span>
        {isLoading && <span aria-hidden>{sizeOf(state.bytes)}</span>}
      </div>
      {mayClose && (
        <Button
          variant="default"
          className={classes.close ?? ''}
          onClick={() => {
            setAsked(true)
            setOpened(true)
          }}
        >
          {t('close')}
        </Button>
      )}
      {asked && <CloseDialog opened={opened} onClose={() => setOpened(false)} />}
      {state.is === 'failed' && (
        <p role="alert" className={notice.notice}>
          {state.message}
        </p>
      )}
    </Card>
  )
}
