/** The part of Swagger UI that the page at `/docs` uses; the package brings no types. */
declare module "#swagger-ui/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: Record<string, unknown>): unknown;
}
