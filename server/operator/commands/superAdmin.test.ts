import { expect, test } from 'vitest'
import { addApp } from '../../testing/factors.ts'
import { person, testProduct } from '../../testing/product.ts'
import { requireSuperAdmin } from './superAdmin.ts'

const product = testProduct()

test('only a fresh code of a super admin counts', async () => {
  const { context } = product
  const [boss, admin] = [await person(product, ['SUPER_ADMIN']), await person(product, ['ADMIN'])]
  const [app, other] = [await addApp(product, boss), await addApp(product, admin)]
  const shows = (email: string, code: string) => requireSuperAdmin(context, { email, code })
  await expect(shows(admin.email, other.code())).rejects.toThrow('is no super admin')
  await expect(shows(boss.email, other.code())).rejects.toMatchObject({ code: 'factorWrong' })
  const code = app.code(1)
  await shows(boss.email, code)
  await expect(shows(boss.email, code)).rejects.toMatchObject({ code: 'factorWrong' })
  await product.database.superuser.query('UPDATE users SET suspended_at = now() WHERE id = $1', [
    boss.id,
  ])
  await expect(shows(boss.email, app.code(2))).rejects.toThrow('is no super admin')
})
