"""What the steps of the lifecycle compute: relevance, links, themes, lasting knowledge and workflows."""
