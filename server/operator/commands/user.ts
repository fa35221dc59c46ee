import { type RoleType, roleTypes } from '@pool/contract/accounts/users'
import { resetFactors } from '../../accounts/factors/resetFactors.ts'
import { listUsers } from '../../accounts/users/queries.ts'
import { grantRole, resumeUser, revokeRole, suspendUser } from '../../accounts/users/roles.ts'
import type { Database } from '../../base/db/connection.ts'
import { takeRows } from '../../base/lists/list.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { operator, runCommand, type Work } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run user -- list
  npm run user -- grant EMAIL ROLE     ROLE is ${roleTypes.join(', ')}
  npm run user -- revoke EMAIL ROLE
  npm run user -- suspend EMAIL
  npm run user -- resume EMAIL
  npm run user -- reset-factors EMAIL  removes the second factors and recovery codes`

const roleNamed = (name: string | undefined): RoleType => {
  const role = roleTypes.find((type) => type === name?.toUpperCase())
  if (!role) throw new UsageError(`'${name ?? ''}' is not a role.\n${usage}`)
  return role
}

const list = async ({ db }: Database): Promise<void> => {
  let count = 0
  await takeRows(await listUsers(db, { sort: 'createdAt', order: 'desc' }), async (users) => {
    for (const { username, detail, roles, suspended } of users) {
      const named = roles.map(({ type }) => type).join(', ') || '(no role)'
      print(
        `${username}  ${detail.firstName} ${detail.lastName}  ${named}${suspended ? '  suspended' : ''}`,
      )
    }
    count += users.length
  })
  print(`${count} ${count === 1 ? 'user' : 'users'}`)
}

const changes: Readonly<Record<string, (email: string, roleName: string | undefined) => Work>> = {
  grant: (email, roleName) => {
    const role = roleNamed(roleName)
    return async (product) => {
      await grantRole(product, { email, role, by: operator() })
      print(`${email} now has the role ${role}.`)
    }
  },
  revoke: (email, roleName) => {
    const role = roleNamed(roleName)
    return async (product, config) => {
      await revokeRole({ ...product, config }, { email, role, by: operator() })
      print(`${email} no longer has the role ${role}. Their sessions have ended.`)
    }
  },
  suspend: (email) => async (product, config) => {
    await suspendUser({ ...product, config }, { email, by: operator() })
    print(`${email} is suspended. Their sessions have ended.`)
  },
  resume: (email) => async (product) => {
    await resumeUser(product, { email, by: operator() })
    print(`${email} may sign in again.`)
  },
  'reset-factors': (email) => async (product, config) => {
    const count = await resetFactors({ ...product, config }, { email, by: operator() })
    print(
      count === 0
        ? `${email} has no second factor.`
        : `${count} second ${count === 1 ? 'factor' : 'factors'} of ${email} and the recovery codes were removed. Their sessions have ended.`,
    )
  },
}

await runCommand(() => {
  const { words } = argumentsOf(usage)
  const [verb = '', email, roleName] = words
  if (verb === 'list' && words.length === 1) return list
  const change = Object.hasOwn(changes, verb) ? changes[verb] : undefined
  if (!email || !change || words.length > 1 + change.length) throw new UsageError(usage)
  return change(email, roleName)
})
