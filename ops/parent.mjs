import { existsSync, readFileSync } from 'node:fs'

/** The parent's process id and its parent's, so the shell's and npm's. */
const parents = () => {
  const stat = `/proc/${process.ppid}/stat`
  const above = existsSync(stat) ? readFileSync(stat, 'utf8').split(') ').at(-1).split(' ')[1] : ''
  return `${process.ppid} ${above}`
}

/** npm's shell dies of a signal without passing it on. So the loss of a parent is a stop. */
export const stopWithParent = () => {
  if (process.env.npm_lifecycle_event === undefined) return
  const before = parents()
  const watch = setInterval(() => {
    if (parents() === before) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}
