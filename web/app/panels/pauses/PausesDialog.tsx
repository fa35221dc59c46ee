import { Button, Text, Textarea } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { LONGEST_REASON, type PauseName, pauseNames } from '@pool/contract/money/pauses'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { type ShownPause, useChangePause, usePauseList } from '../../api/money/pauses.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { pauseReason } from '../../i18n/named.ts'
import { t } from '../../i18n/pauses.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Pending } from '../../ui/Pending.tsx'
import classes from './PausesDialog.module.css'

type Act = 'pause' | 'change' | 'resume'
type Chosen = { readonly name: PauseName; readonly act: Act }

/** Focuses the next control: the pressed one is gone. */
const useFocusHere = <Focusable extends HTMLElement>(
  wanted = true,
): RefObject<Focusable | null> => {
  const element = useRef<Focusable>(null)
  useEffect(() => {
    if (wanted) element.current?.focus()
  }, [wanted])
  return element
}

type Props = { readonly opened: boolean; readonly onClose: () => void }

/** The pauses, for super admins: the present state and, after a question, a change. */
export const PausesDialog = ({ opened, onClose }: Props) => {
  const turning = useChangePause()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [turned, setTurned] = useState<PauseName | null>(null)
  const leave = () => {
    setTurned(chosen?.name ?? null)
    setChosen(null)
    turning.reset()
  }
  const close = () => {
    onClose()
    leave()
    setTurned(null)
  }
  return (
    <Dialog
      title={chosen ? t(`${chosen.act}.${chosen.name}`) : t('title')}
      opened={opened}
      onClose={close}
      busy={turning.isPending}
    >
      {chosen ? (
        <Question chosen={chosen} turning={turning} onDone={leave} />
      ) : (
        <PauseList turned={turned} onChoose={(name, act) => setChosen({ name, act })} />
      )}
    </Dialog>
  )
}

type PauseListProps = {
  /** The pause that the user returns from, which gets the focus. */
  readonly turned: PauseName | null
  readonly onChoose: (name: PauseName, act: Act) => void
}

const PauseList = ({ turned, onChoose }: PauseListProps) => {
  const query = usePauseList()
  const { data } = query
  if (!data) return <Pending query={query} failed={callFailed.pauses} loading={t('loading')} />
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('text')}
      </Text>
      <ul className={classes.list} aria-label={t('list')}>
        {pauseNames.map((name) => (
          <PauseItem
            key={name}
            name={name}
            paused={data.find((pause) => pause.name === name)}
            isTurned={name === turned}
            onChoose={(act) => onChoose(name, act)}
          />
        ))}
      </ul>
    </>
  )
}

type PauseItemProps = {
  readonly name: PauseName
  readonly paused: ShownPause | undefined
  readonly isTurned: boolean
  readonly onChoose: (act: Act) => void
}

const Since = ({ at }: { at: Date | null }) =>
  at ? (
    <>
      {t('pausedSince')} <DateTime at={at} />
    </>
  ) : (
    t('paused')
  )

const PauseItem = ({ name, paused, isTurned, onChoose }: PauseItemProps) => {
  const here = useFocusHere<HTMLButtonElement>(isTurned)
  const act = paused ? 'resume' : 'pause'
  return (
    <li className={classes.pause} data-paused={paused !== undefined}>
      <div className={classes.about}>
        <p className={classes.name}>{t(name)}</p>
        <p className={classes.state}>{paused ? <Since at={paused.since} /> : t('running')}</p>
        {paused && <p className={classes.reason}>{pauseReason(paused.reason)}</p>}
      </div>
      <div className={classes.actions}>
        {paused && (
          <Button
            variant="subtle"
            size="sm"
            aria-label={t(`change.${name}`)}
            onClick={() => onChoose('change')}
          >
            {t('change')}
          </Button>
        )}
        <Button
          ref={here}
          variant="default"
          size="sm"
          aria-label={t(`${act}.${name}`)}
          onClick={() => onChoose(act)}
        >
          {t(act)}
        </Button>
      </div>
    </li>
  )
}

const busyLabels = { pause: t('pausing'), change: t('changing'), resume: t('resuming') } as const

type QuestionProps = {
  readonly chosen: Chosen
  readonly turning: ReturnType<typeof useChangePause>
  readonly onDone: () => void
}

const Question = ({ chosen: { name, act }, turning, onDone }: QuestionProps) => {
  const before = usePauseList().data?.find((pause) => pause.name === name)?.reason ?? ''
  const [reason, setReason] = useState(act === 'change' ? before : '')
  const [missing, setMissing] = useState(false)
  const isResume = act === 'resume'
  const question = useFocusHere<HTMLParagraphElement>(isResume)
  const field = useFocusHere<HTMLTextAreaElement>(!isResume)
  const { mutate, isPending: busy, error } = turning
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const isMissing = !isResume && !reason.trim()
    setMissing(isMissing)
    if (!isMissing) mutate({ name, reason: isResume ? null : reason.trim() }, { onSuccess: onDone })
  }
  return (
    <DialogForm
      grave={!isResume}
      submitLabel={t(`${act}.${name}`)}
      busyLabel={busyLabels[act]}
      busy={busy}
      error={error ? messageOf(error, isResume ? callFailed.resume : callFailed.pause) : null}
      onSubmit={submit}
      onCancel={onDone}
    >
      <Text ref={question} tabIndex={-1}>
        {t(`${isResume ? 'back' : 'ask'}.${name}`)}
      </Text>
      {!isResume && (
        <Textarea
          label={t('reason')}
          description={t('reason.hint')}
          required
          size="md"
          autosize
          minRows={2}
          maxRows={5}
          maxLength={LONGEST_REASON}
          error={missing && validation.reasonRequired}
          ref={field}
          value={reason}
          readOnly={busy}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </DialogForm>
  )
}
