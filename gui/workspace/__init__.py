"""What joins model and views: who acts, who saves, who keeps the page's layers in step."""
