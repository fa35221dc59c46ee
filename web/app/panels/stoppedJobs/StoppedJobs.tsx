import { useStoppedJobs } from '../../api/operator/stoppedJobs.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import classes from '../../ui/Notice.module.css'

const StoppedList = onDemand(async () => (await import('./StoppedList.tsx')).StoppedList)

/** Background work without a success for too long, for staff. Announced politely. */
export const StoppedJobs = () => {
  const stopped = useStoppedJobs()
  return (
    <div role="status" className={classes.place}>
      {stopped.length > 0 && <StoppedList stopped={stopped} />}
    </div>
  )
}
