import { expect, it } from 'vitest'
import { fieldOf, handleProblem, passwordProblem } from './sign-in.ts'

it('knows a name that an account can have', () => {
  for (const good of ['Ana', 'ana-77', 'a_b', 'A'.repeat(20)]) expect(handleProblem(good), good).toBeNull()
  for (const bad of ['', 'ab', '7ana', 'ana maria', 'аna', 'A'.repeat(21), '-ana', 'ñandú']) expect(handleProblem(bad), bad).toBe('bad_handle')
})

it('asks for a password of some length, counted as people count', () => {
  expect(passwordProblem('123456789')).toBe('bad_password_length')
  expect(passwordProblem('1234567890')).toBeNull()
  expect(passwordProblem('🦉🦉🦉🦉🦉')).toBe('bad_password_length')
  expect(passwordProblem('x'.repeat(129))).toBe('bad_password_length')
})

it('puts each refusal beside its field', () => {
  expect(['handle_taken', 'bad_handle', 'bad_password_length', 'wrong_code', 'too_many'].map(fieldOf)).toEqual(['handle', 'handle', 'password', 'code', 'form'])
})
