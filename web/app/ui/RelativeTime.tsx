import { ageOf, howFar } from './age.ts'
import { DateTime, exactOnHover } from './DateTime.tsx'
import classes from './RelativeTime.module.css'
import { useNow } from './useNow.ts'

/** A moment as its distance from now, with the exact moment on hover. */
export const RelativeTime = ({ at }: { at: Date }) => {
  const now = useNow()
  return (
    <time dateTime={at.toISOString()} {...exactOnHover(at)}>
      {howFar(at, now)}
    </time>
  )
}

/** A moment of the last day as its age, any other as its date. Paper always shows the date. */
export const RecentTime = ({ at }: { at: Date | null }) => {
  const now = useNow()
  const age = at && ageOf(at, now)
  if (!at || !age) return <DateTime at={at} />
  return (
    <>
      <time className={classes.age} dateTime={at.toISOString()} {...exactOnHover(at)}>
        {age}
      </time>
      <span className={classes.printed}>
        <DateTime at={at} />
      </span>
    </>
  )
}
