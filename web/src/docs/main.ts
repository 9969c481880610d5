/** The page at `/docs`: shows what `/openapi.json` describes, and lets people try it out. It asks nobody but this server. */
import "#swagger-ui/swagger-ui.css";
import "./docs.css";
import SwaggerUI from "#swagger-ui/swagger-ui-es-bundle.js";

// Its dark colours hang on a class, not on what the browser prefers.
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const followColours = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
followColours();
prefersDark.addEventListener("change", followColours);

SwaggerUI({
  domNode: document.getElementById("api"),
  url: "/openapi.json",
  validatorUrl: null,
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: false,
});
