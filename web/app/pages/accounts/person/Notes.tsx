import { Button, Textarea } from '@mantine/core'
import { LONGEST_NOTE } from '@pool/contract/accounts/people'
import { type FormEvent, useRef, useState } from 'react'
import { useAddNote, useNotes } from '../../../api/accounts/people.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { t } from '../../../i18n/people.ts'
import { useMayWrite } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { toast } from '../../../ui/toasts.ts'
import { Part } from './Part.tsx'
import classes from './Person.module.css'

const NewNote = ({ id }: { id: string }) => {
  const [text, setText] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const add = useAddNote(id, t('notes.notAdded'))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    field.current?.focus()
    if (text.trim() === '') return setFault(t('notes.missing'))
    add.mutate(text, {
      onSuccess: () => {
        setText('')
        toast({ message: t('notes.added') })
      },
      onError: (error) => setFault(messageOf(error, t('notes.notAdded'))),
    })
  }
  return (
    <form className={classes.newNote} onSubmit={submit} noValidate data-print="none">
      <Textarea
        ref={field}
        label={t('notes.new')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={LONGEST_NOTE}
        value={text}
        error={fault}
        readOnly={add.isPending}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFault(null)
        }}
      />
      <Button type="submit" variant="default" loading={add.isPending}>
        {add.isPending ? t('notes.adding') : t('notes.add')}
      </Button>
    </form>
  )
}

const Listed = ({ id }: { id: string }) => {
  const query = useNotes(id, t('notes.failed'))
  const { data: notes } = query
  if (!notes)
    return <Pending query={query} failed={t('notes.failed')} loading={t('notes.loading')} />
  if (notes.length === 0) return <p className={classes.none}>{t('notes.empty')}</p>
  return (
    <ul className={classes.notes}>
      {notes.map((note) => (
        <li key={note.id}>
          <p className={classes.note}>{note.text}</p>
          <p className={classes.by}>
            <span>{note.author}</span> <DateTime at={note.at} />
          </p>
        </li>
      ))}
    </ul>
  )
}

/** The notes of staff about a person. */
export const Notes = ({ id }: { id: string }) => (
  <Part id="notes" title={t('notes')} text={t('notes.text')}>
    {useMayWrite() && <NewNote id={id} />}
    <Listed id={id} />
  </Part>
)
